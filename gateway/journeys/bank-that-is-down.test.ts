/** Shows that nothing is sent to a bank that is down: no outcome is unknown, and every request may be repeated. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

const FJELL = nordicBank(PAYROLL_BANKS.bulk)
const { bic, organizationNumber, users } = FJELL
const NOTHING_DONE = { status: 503, message: expect.stringContaining('nothing was done'), retryAfterSeconds: 10 }

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

test('orders, bulks, approvals, cancellations, consents and reads at a bank that is down leave nothing, and succeed later', async () => {
  const { client, context } = gateway
  const atBank = async () => {
    const bank = openSandboxBankControl(gateway.bank, bic)
    return [(await bank.payments()).length, (await bank.consents()).length]
  }
  const stored = async () => {
    const { rows } = await context.database.pool.query(`select
      (select count(*)::int from payments) as payments, (select count(*)::int from payrolls) as payrolls,
      (select count(*)::int from approvals) as approvals, (select count(*)::int from operator_tasks) as tasks,
      (select count(*)::int from consents) as consents, (select count(*)::int from cancellations) as cancellations`)
    return rows
  }
  const consent = await stage.payer.consentOf(FJELL)
  const paymentIds = [await stage.payer.order(FJELL), await stage.payer.order(FJELL)].map(({ paymentId }) => paymentId)
  const [approved = '', cancelled = ''] = paymentIds
  const account = { type: 'bban', bban: FJELL.main } as const
  const order = domesticPayment(gateway, {
    from: { account, contactInformation: { name: FJELL.companyName }, currency: 'NOK' },
  })
  const payroll = stage.payroll(FJELL, 3)
  const idempotencyKey = crypto.randomUUID()
  const newConsent = { bic, organizationNumber, userId: users[0], callbackUrl: CALLBACK }
  const requests = [
    () => client.initiateDomesticPayment({ ...consent, body: order, idempotencyKey }),
    () => stage.order(FJELL, payroll, `${idempotencyKey}-payroll`),
    () => client.approvePayments({ ...consent, body: { payments: [approved], callbackUrl: CALLBACK } }),
    () => client.cancelPayment({ ...consent, body: { paymentId: cancelled, callbackUrl: CALLBACK } }),
    () => client.createConsent({ psu: PSU, body: newConsent }),
    () => client.listAccounts(consent),
  ]
  const before = [await atBank(), await stored()]

  await client.disturbSandboxBank({ params: { bic }, body: { effect: 'down' } })
  for (const request of requests) {
    const failure: unknown = await request().catch((error: unknown) => error)
    expect(failure, request.toString()).toMatchObject(NOTHING_DONE)
    expect(failure).not.toHaveProperty('paymentId', expect.anything())
    // Not the circuit breaker answers next, but the bank.
    await context.banks.resetFailures()
  }
  expect(await stage.payer.statusOf(approved)).toMatchObject({ status: 'Unsigned' })
  await gateway.sweep()
  expect([await atBank(), await stored()]).toEqual(before)

  await client.healSandboxBanks()
  await context.banks.resetFailures()
  for (const request of requests) {
    await expect(request(), request.toString()).resolves.toBeDefined()
  }
  expect(await stage.payer.statusOf(cancelled)).toMatchObject({ status: 'Cancelled' })
  const [payments = 0, consents = 0] = before[0] as readonly number[]
  expect(await atBank()).toEqual([payments + 2, consents + 1])
})
