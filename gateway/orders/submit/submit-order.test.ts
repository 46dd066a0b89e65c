/** Tests what the submission of an order returns for each answer of the bank, and that the bank is called once. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../../sandbox/bank/faults.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { newBankRequestId, newId } from '../../platform/ids.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../../testing/payments/payment-driver.ts'
import { domesticPayment } from '../../testing/payments/sample-payments.ts'
import { payrollCaller } from '../../testing/payrolls/payroll-initiation-context.ts'
import { instructionOf } from '../instruction.ts'
import { orderOfAcceptedPayment } from '../parse/domestic-payment-parts.ts'
import { type InitiateOrder, submitOnce } from './submit-order.ts'

/** The texts of injected errors start with it. */
const BANK_TEXT = 'A fault injected by the control API'

let gateway: TestGateway
let control: SandboxBankControl
let bank: Bank
let caller: ConsentCaller
let initiateAtBank: InitiateOrder
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { HAVN_BANK_ANSWER_TIMEOUT_SECONDS: '5' } })
  control = openSandboxBankControl(gateway.bank)
  bank = (await gateway.context.banks.find('FJORNO22')) ?? expect.fail('The bank is not there')
  caller = await payrollCaller(gateway, openPaymentDriver(gateway), nordicBank('FJORNO22'))
  const product = gateway.context.banks.connectorOf(bank).domesticPayments ?? expect.fail('No domestic payments')
  const order = orderOfAcceptedPayment(domesticPayment(gateway), 'NO')
  initiateAtBank = (bankCaller, request) => product.initiate(bankCaller, order, request)
})
afterEach(async () => {
  await control.clearFaults()
  await gateway.context.banks.resetFailures()
})
afterAll(() => gateway.close())

const inAMinute = () => gateway.context.clock.real().add({ minutes: 1 })

type Submitted = {
  readonly initiate?: InitiateOrder
  readonly payrollId?: string | null
  readonly recoverAt?: Temporal.Instant
}

/** Submits an order, with a fault of the bank if one is given; counts the calls, and the orders that the bank holds. */
async function submit(
  fault: Partial<Fault> | null,
  { initiate = initiateAtBank, payrollId = null, recoverAt = inAMinute() }: Submitted = {},
) {
  await (fault && control.injectFault({ operation: 'initiatePayment', effect: 'status', ...fault }))
  const paymentId = newId()
  const submission = {
    ...{ paymentId, instruction: instructionOf({ id: paymentId, payrollId }), endToEndId: newId() },
    bankRequestId: newBankRequestId(),
    ...{ notification: `${gateway.url}/none`, recoverAt },
  }
  let calls = 0
  const answer = await submitOnce(gateway.context, caller, bank, submission, async (bankCaller, request) => {
    calls += 1
    return await initiate(bankCaller, request)
  })
  const held = (await control.payments()).filter(({ requestId }) => requestId === submission.bankRequestId)
  return { answer, calls, held }
}

test('an order is not given to the bank once recovery has taken it over', async () => {
  const { answer, calls } = await submit(null, { recoverAt: gateway.context.clock.real() })
  expect({ outcome: answer.outcome, calls }).toEqual({ outcome: 'rejected', calls: 0 })
})

test('an order that the bank acknowledges is acknowledged under the id of the bank', async () => {
  const { answer, calls, held } = await submit(null)
  const result = { bankPaymentId: held[0]?.paymentId, observation: { status: 'Unsigned' } }
  expect({ answer, calls }).toMatchObject({ answer: { outcome: 'acknowledged', result }, calls: 1 })
})

test.each([
  [400, 'order-rejected'],
  [403, 'access-denied'],
  [429, 'unavailable'],
] as const)(
  'an order that the bank answers with %i is rejected, and the bank does not hold it',
  async (status, kind) => {
    const { answer, calls, held } = await submit({ status })
    expect({ answer, calls, held }).toMatchObject({
      answer: { outcome: 'rejected', error: { kind } },
      calls: 1,
      held: [],
    })
  },
)

test.each<[what: string, fault: Partial<Fault>, held: number]>([
  ['does not arrive before the timeout', { effect: 'withhold-answer' }, 1],
  ['is lost in transit', { effect: 'drop-connection' }, 1],
  ['is truncated', { effect: 'cut-answer' }, 1],
  ['is 500', { status: 500 }, 0],
])('an order whose answer %s is unknown, and not submitted again', async (_what, fault, count) => {
  const { answer, calls, held } = await submit(fault)
  expect({ answer, calls }).toMatchObject({
    answer: { outcome: 'unknown', cause: { kind: 'outcome-unknown' } },
    calls: 1,
  })
  expect(held).toHaveLength(count)
})

test('an internal error after the call is not a rejection', async () => {
  const cause = new TypeError('undefined is not a function')
  const { answer, calls, held } = await submit(null, {
    initiate: async (bankCaller, request) => {
      await initiateAtBank(bankCaller, request)
      throw cause
    },
  })
  expect({ answer, calls }).toEqual({ answer: { outcome: 'unknown', cause }, calls: 1 })
  expect(held).toHaveLength(1)
})

test('the rejection of a payment has the text of the bank, and that of an order of a payroll our own', async () => {
  const rejectionOf = (message: string) => ({
    outcome: 'rejected',
    error: { message: expect.stringContaining(message) },
  })
  expect((await submit({ status: 403, times: 1 })).answer).toMatchObject(rejectionOf(BANK_TEXT))
  const ofPayroll = await submit({ status: 403, times: 1 }, { payrollId: newId() })
  expect(ofPayroll.answer).toMatchObject(rejectionOf('The bank does not permit the user to pay from this account'))
})

test('an order whose access token the bank rejects is rejected, and its consent is what the bank reports', async () => {
  const { answer, calls } = await submit({ status: 401, code: 'TOKEN_INVALID' })
  expect({ answer, calls }).toMatchObject({
    answer: { outcome: 'rejected', error: { kind: 'token-invalid' } },
    calls: 1,
  })
  expect(await gateway.client.getConsent({ consentId: caller.consent.id })).toMatchObject({ status: 'ACCEPTED' })
})
