/** Tests abandoning a cancellation of a payment or a payroll that waits for its signature. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextBankDay } from '../countries/bank-days.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { loggedInAtBank } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { signInNetbank } from '../testing/payments/sign-in-netbank.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

const fjord = nordicBank('FJORNO22')
const vestkyst = nordicBank(PAYROLL_BANKS.bulkOwnIds)

let gateway: TestGateway
let stage: PayrollFixture
let control: SandboxBankControl
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  control = openSandboxBankControl(gateway.bank)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

/** The wording for payments and for payrolls. */
type Waiting = {
  readonly id: string
  readonly url: string
  cancel(): Promise<{ id: string; cancellationRequestStatus?: string; sca?: unknown }>
  abandon(): Promise<unknown>
  read(): Promise<{ cancellationRequestStatus?: string }>
  status(): Promise<string>
}

async function payment(): Promise<Waiting> {
  const { client } = gateway
  const shown = await stage.payer.consentOf(fjord)
  const dueDate = nextBankDay(['NO'], gateway.context.clock.today('Europe/Oslo').add({ days: 5 }))
  const { paymentId } = await stage.payer.order(fjord, { dueDate: dueDate.toString() })
  await signInNetbank(gateway, paymentId)
  const cancel = () => client.cancelPayment({ ...shown, body: { paymentId, callbackUrl: CALLBACK } })
  const { id, sca } = await cancel()
  const params = { id }
  return {
    id,
    url: sca?.type === 'redirect' ? sca.url : '',
    cancel,
    abandon: () => client.abandonPaymentCancellation({ ...shown, params }),
    read: () => client.getPaymentCancellation({ ...shown, params }),
    status: async () => (await stage.payer.statusOf(paymentId)).status,
  }
}

async function payroll(): Promise<Waiting> {
  const { client } = gateway
  const shown = await stage.payer.consentOf(vestkyst)
  const { payrollId } = await stage.order(vestkyst, stage.payroll(vestkyst, 2))
  await stage.sign(vestkyst, [payrollId])
  const cancel = () => client.cancelPayroll({ ...shown, body: { payrollId, callbackUrl: CALLBACK } })
  const { id, sca } = await cancel()
  const params = { id }
  return {
    id,
    url: sca?.url ?? '',
    cancel,
    abandon: () => client.abandonPayrollCancellation({ ...shown, params }),
    read: () => client.getPayrollCancellation({ ...shown, params }),
    status: async () => (await stage.statusOf(payrollId)).currentPayrollStatus,
  }
}

describe.each([
  ['payment', fjord, payment],
  ['payroll', vestkyst, payroll],
] as const)('the cancellation of a %s', (_what, bank, waiting) => {
  it('whose user closed the tab returns the same link, and is abandoned once the bank says that it is unsigned: cancelling again works', async () => {
    const requested = await waiting()
    await loggedInAtBank(requested.url, bank.users[0])
    expect(await requested.cancel()).toMatchObject({ id: requested.id, sca: { url: requested.url } })
    await control.postControl('/faults', { bank: bank.bic, operation: '*', effect: 'down' })
    await expect(requested.abandon()).rejects.toMatchObject({ status: 503 })
    await control.clearFaults()
    await gateway.context.banks.resetFailures()
    expect((await requested.read()).cancellationRequestStatus).toBe('AUTHORIZATION_REQUIRED')
    await requested.abandon()
    await requested.abandon()
    expect((await requested.read()).cancellationRequestStatus).toBe('REJECTED')
    expect(await requested.status()).toBe('InProgress')
    const again = await requested.cancel()
    expect(again).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
    expect(again.id).not.toBe(requested.id)
  })

  it('that was signed is executed, and not abandoned: 409', async () => {
    const requested = await waiting()
    const { browser, address } = await loggedInAtBank(requested.url, bank.users[0])
    await browser.post(address, { decision: 'approve' })
    await expect(requested.abandon()).rejects.toMatchObject({ status: 409 })
    expect((await requested.read()).cancellationRequestStatus).toBe('ACCEPTED')
    expect(await requested.status()).toBe('Cancelled')
  })
})
