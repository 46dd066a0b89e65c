/** Tests which account of a consent pays, by the data that its bank reports, and in which currency. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent } from '../testing/payments/sample-payments.ts'
import { findAccount } from './accounts/find-account.ts'

/** Fails Norway's check. */
const UNSOUND = '80501100018'
/** Valid, and without a clearing number inside. */
const SWEDISH_IBAN = 'SE4550000000058398257466'
const RECEIVER = '80501200011'

let gateway: TestGateway
let consentId: string
let headers: Record<string, string>
let reported: string
beforeAll(async () => {
  gateway = await startTestGateway()
  consentId = (await acceptedConsent(gateway)).consentId
  headers = await validHeaders(gateway, consentId)
  const { rows } = await query('select * from consent_accounts where consent_id = $1', [consentId])
  reported = JSON.stringify(rows)
})
afterAll(() => gateway.close())
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
    const { rows: orders } = await query(
      `select body->'debtorAccount' as debtor from sandbox_bank.payments order by created_at desc, id desc`,
      [],
    )
    // The payment before it was from an account with a number of its own.
    expect(orders.slice(0, 2)).toEqual([
      { debtor: { bban: '80501100017', currency: 'NOK' } },
      { debtor: { bban: '80501100017' } },
    ])
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
