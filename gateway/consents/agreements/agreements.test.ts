/** Tests agreements: operators create and end them, and partners use them as consents for payrolls only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FILE_BANK, type FileBankFixture, openFileBank } from '../../testing/banks/file-bank.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { CALLBACK, PSU } from '../../testing/payments/sample-payments.ts'
import { endAgreement, listAgreements, registerAgreement } from './agreement.ts'

let gateway: TestGateway
let stage: FileBankFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = await openFileBank(gateway)
})
afterAll(async () => {
  await stage.close()
  await gateway.close()
})

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
