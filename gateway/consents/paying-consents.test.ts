/** Tests what pays: an account of a consent by the data that its bank reports, or one of an agreement, which operators register. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FILE_BANK, type FileBankFixture, openFileBank } from '../testing/banks/file-bank.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, PSU } from '../testing/payments/sample-payments.ts'
import { findAccount, findAccountByBban } from './accounts/find-account.ts'
import { endAgreement, listAgreements, registerAgreement } from './agreements/agreement.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('an account of a consent', () => {
  /** Fails Norway's check. */
  const UNSOUND = '80501100018'
  /** Valid, and without a clearing number inside. */
  const SWEDISH_IBAN = 'SE4550000000058398257466'
  const RECEIVER = '80501200011'

  let consentId: string
  let headers: Record<string, string>
  let reported: string
  beforeAll(async () => {
    consentId = (await acceptedConsent(gateway)).consentId
    headers = await validHeaders(gateway, consentId)
    const { rows } = await query('select * from consent_accounts where consent_id = $1', [consentId])
    reported = JSON.stringify(rows)
  })
  // Other tests change what the bank reported.
  beforeEach(async () => {
    await query('delete from consent_accounts where consent_id = $1', [consentId])
    const rows = 'json_populate_recordset(null::consent_accounts, $1)'
    await query(`insert into consent_accounts select * from ${rows}`, [reported])
  })

  const query = (text: string, values: readonly unknown[]) => gateway.context.database.pool.query(text, [...values])

  /** Replaces the bank's account, as the bank would report it. */
  async function show(change: { readonly bban?: string | null; readonly iban?: string; readonly currency?: string }) {
    for (const [column, value] of Object.entries(change)) {
      await query(`update consent_accounts set ${column} = $1 where consent_id = $2 and bban = '80501100017'`, [
        value,
        consentId,
      ])
    }
  }

  async function pay(bban: string) {
    const body = {
      metadata: { endToEndId: 'INV-1' },
      from: { account: { type: 'bban', bban }, contactInformation: { name: 'Nordlys' }, currency: 'NOK' },
      to: { account: { type: 'bban', bban: RECEIVER }, contactInformation: { name: 'Granli' } },
      amount: { amount: '10.00', currency: 'NOK' },
      dueDate: gateway.context.clock.today('Europe/Oslo').add({ days: 7 }).toString(),
    }
    return await sendRawRequest(gateway, ['POST', '/api/v2/payments'], { headers, body })
  }

  /** Of the newest orders. */
  async function debtorsAtBank(count: number): Promise<readonly unknown[]> {
    const { rows } = await query(
      `select body->'debtorAccount' as debtor from sandbox_bank.payments order by created_at desc, id desc limit $1`,
      [count],
    )
    return rows.map(({ debtor }) => debtor)
  }

  describe('an account on the consent', () => {
    test('is never rejected by our validation of its number', async () => {
      expect(await pay(UNSOUND)).toMatchObject({ status: 422, body: [{ code: 'InvalidBBAN' }] })
      await show({ bban: UNSOUND })
      // The bank rejects it afterwards: it has no such account.
      expect(JSON.stringify((await pay(UNSOUND)).body)).not.toContain('check digit')
    })

    test('may be given by its IBAN', async () => {
      expect(await pay('NO96 8050 1100 017')).toMatchObject({ status: 200 })
    })

    test('pays in its own currency and no other', async () => {
      await show({ currency: 'EUR' })
      expect(await pay('80501100017')).toMatchObject({
        status: 422,
        body: [
          {
            code: 'InvalidRequest',
            path: '.from.currency',
            reason: expect.stringContaining('currency must be the currency of the account, EUR'),
          },
        ],
      })
    })

    test('that has several currencies pays in any, which is sent to its bank', async () => {
      await show({ currency: 'XXX' })
      expect(await pay('80501100017')).toMatchObject({ status: 200 })
      const { rows } = await query('select partner_id from consents where id = $1', [consentId])
      const consent = { partnerId: rows[0]?.['partner_id'], id: consentId, countryCode: 'NO' }
      // Its orders are signed, resubmitted and settled by the account that this finds.
      const found = await findAccountByBban(gateway.context, consent, { bban: '80501100017', currency: 'NOK' })
      expect(found).toMatchObject({ currency: 'XXX', sharesNumber: true })
      expect(await debtorsAtBank(1)).toEqual([{ bban: '80501100017', currency: 'NOK' }])
    })

    test('that shares its number with other accounts is selected by currency, which is sent to its bank', async () => {
      const columns = 'partner_id, consent_id, stable_id, bban, iban, bic, name, owner_name, type, payable'
      for (const currency of ['EUR', 'USD']) {
        await query(
          `insert into consent_accounts (id, resource_id, currency, ${columns})
           select gen_random_uuid(), $1, $1, ${columns} from consent_accounts
           where consent_id = $2 and bban = '80501100017' and currency = 'NOK'`,
          [currency, consentId],
        )
      }
      const { rows } = await query('select partner_id from consents where id = $1', [consentId])
      const requested = { partnerId: rows[0]?.['partner_id'], consentId, bban: '80501100017', iban: null }
      const currencies = ['EUR', 'NOK', 'USD'].map(
        async (currency) => (await findAccount(gateway.context.database, { ...requested, currency }))?.currency,
      )
      expect(await Promise.all(currencies)).toEqual(['EUR', 'NOK', 'USD'])
      expect(await pay('80501100017')).toMatchObject({ status: 200 })
      await query(`delete from consent_accounts where consent_id = $1 and currency <> 'NOK'`, [consentId])
      // An account with a number of its own.
      expect(await pay('80501100017')).toMatchObject({ status: 200 })
      expect(await debtorsAtBank(2)).toEqual([{ bban: '80501100017' }, { bban: '80501100017', currency: 'NOK' }])
    })

    test('is found by an IBAN that does not contain its number', async () => {
      await query(`update consent_accounts set bban = null, iban = $1 where consent_id = $2 and bban = '80501100017'`, [
        SWEDISH_IBAN,
        consentId,
      ])
      const { rows } = await query('select partner_id from consents where id = $1', [consentId])
      const requested = { partnerId: rows[0]?.['partner_id'], consentId, bban: SWEDISH_IBAN, iban: SWEDISH_IBAN }
      expect(await findAccount(gateway.context.database, requested)).toMatchObject({ bban: null, iban: SWEDISH_IBAN })
    })
  })
})

describe('an agreement', () => {
  let stage: FileBankFixture
  beforeAll(async () => {
    stage = await openFileBank(gateway)
  })
  afterAll(() => stage.close())

  const wanted = () => ({
    partnerId: stage.partnerId,
    bic: FILE_BANK.bic,
    countryCode: 'NO',
    organisationNumber: FILE_BANK.organisationNumber,
    number: 'CUSTOMER-8',
    accounts: ['8601 11 17947'],
  })

  describe('an agreement', () => {
    test('is listed with its number and accounts, and shown to its partner as an accepted consent', async () => {
      const id = await registerAgreement(gateway.context, 'operator Ingrid', wanted())
      const [newest] = await listAgreements(gateway.context, stage.partnerId)
      expect(newest).toMatchObject({ id, number: 'CUSTOMER-8', accounts: [{ bban: '86011117947' }] })
      const shown = await gateway.client.getConsent({ consentId: id })
      expect(shown).toMatchObject({ id, status: 'ACCEPTED', bic: FILE_BANK.bic })
      expect(JSON.stringify(shown)).not.toContain('CUSTOMER')
    })

    test('permits no orders once an operator has ended it, once', async () => {
      const id = await registerAgreement(gateway.context, 'operator Ingrid', wanted())
      const key = { partnerId: stage.partnerId, id }
      expect(await endAgreement(gateway.context, 'operator Ingrid', key)).toBe(true)
      expect(await endAgreement(gateway.context, 'operator Ingrid', key)).toBe(false)
      const ordered = gateway.client.initiatePayroll({ consentId: id, psu: PSU, body: stage.payroll(1) })
      await expect(ordered).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
      const { rows } = await gateway.context.database.pool.query(
        `select actor, action from audit_log where subject_id = $1 order by id`,
        [id],
      )
      expect(rows).toEqual([
        { actor: 'operator Ingrid', action: 'agreement entered' },
        { actor: 'operator Ingrid', action: 'agreement ended' },
      ])
    })

    test('ends with its last day, and is never polled at the bank', async () => {
      const until = gateway.context.clock.today('Europe/Oslo').add({ days: 2 })
      const id = await registerAgreement(gateway.context, 'operator Ingrid', { ...wanted(), until })
      await passTime(gateway, 'P1D')
      expect(await gateway.client.getConsent({ consentId: id })).toMatchObject({ status: 'ACCEPTED' })
      await passTime(gateway, 'P3D')
      expect(await gateway.client.getConsent({ consentId: id })).toMatchObject({ status: 'EXPIRED' })
    })

    test('is not signed by a user: a consent at such a bank is rejected', async () => {
      const { bic, organisationNumber: organizationNumber } = FILE_BANK
      const requested = gateway.client.createConsent({
        psu: PSU,
        body: { bic, organizationNumber, callbackUrl: CALLBACK },
      })
      await expect(requested).rejects.toMatchObject({ failure: 'UNSUPPORTED_PRODUCT_BY_BANK' })
    })

    test('gives access to no payments and no accounts', async () => {
      const consented = { consentId: stage.consentId, psu: PSU }
      const unsupported = { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' }
      await expect(gateway.client.listAccounts(consented)).rejects.toMatchObject(unsupported)
    })

    test('pays from its own accounts only', async () => {
      const foreign = stage.payroll(1, { from: { account: { bban: '80501100017' }, name: 'Nordlys Handel AS' } })
      await expect(stage.order(foreign)).rejects.toMatchObject({ failure: 'ACCESS_DENIED' })
    })

    test.each([
      [{ bic: 'NOBANK22' }, 'no bank with the BIC NOBANK22'],
      [{ bic: 'FJORNO22' }, 'does not accept payment files'],
      [{ countryCode: 'SE', organisationNumber: '5599901005' }, 'serves companies of NO'],
      [{ organisationNumber: '923609016' }, 'has no company NO 923609016'],
      [{ organisationNumber: '1' }, 'organisation number'],
      [{ accounts: ['86011117940'] }, 'The account number 86011117940'],
      [{ accounts: [] }, 'Give at least one account'],
      [{ number: '' }, 'The agreement number must have 1 to 35'],
      [{ number: '<x>' }, 'The agreement number must have 1 to 35'],
      [{ until: Temporal.PlainDate.from('2020-01-01') }, 'The last day must be between'],
      [{ until: Temporal.PlainDate.from('2099-01-01') }, 'The last day must be between'],
    ])('with %j is rejected', async (change, complaint) => {
      const before = await listAgreements(gateway.context, stage.partnerId)
      const entered = registerAgreement(gateway.context, 'operator Ingrid', { ...wanted(), ...change })
      await expect(entered).rejects.toThrow(complaint)
      expect(await listAgreements(gateway.context, stage.partnerId)).toEqual(before)
    })
  })
})
