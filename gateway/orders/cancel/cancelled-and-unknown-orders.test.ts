/** Tests orders that a bank has cancelled and then no longer knows: a cancelled payment is never executed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../../testing/payments/payment-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const FJORD = nordicBank('FJORNO22')

let gateway: TestGateway
let payer: PaymentDriver
let bank: SandboxBankControl
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  bank = openSandboxBankControl(gateway.bank)
  await payer.nextMorning()
  headers = await validHeaders(gateway, (await payer.consentOf(FJORD)).consentId)
})
afterEach(() => bank.clearFaults())
afterAll(() => gateway.close())

async function unsigned(): Promise<string> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  return (await payer.order(FJORD, { dueDate: nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString() })).paymentId
}

const cancel = (paymentId: string): Promise<Answer> =>
  sendRawRequest(gateway, ['POST', '/api/v2/payments/cancel'], { headers, body: { paymentId, callbackUrl: CALLBACK } })
const approve = (paymentId: string): Promise<Answer> =>
  sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], {
    headers,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
const forget = (operation: string) => bank.injectFault({ operation, effect: 'status', status: 404 })

const WITHDRAWN = {
  status: 422,
  body: [{ path: '.payments[0]', reason: expect.stringMatching(/cancelled/) }],
}

test('a cancelled payment is not resubmitted, and is Cancelled once the bank has not known it for minutes', async () => {
  const paymentId = await unsigned()
  const orders = (await bank.payments()).length
  await forget('getPaymentStatus')
  expect(await cancel(paymentId)).toMatchObject({
    body: { cancellationRequestStatus: 'ACCEPTED', currentPaymentStatus: { status: 'Unsigned' } },
  })
  expect(await approve(paymentId)).toMatchObject(WITHDRAWN)
  await passTime(gateway, 'PT15M')
  expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  expect(await approve(paymentId)).toMatchObject({ status: 422 })
  expect((await bank.payments()).length).toBe(orders)
})

test('the status of a bank that shows the order again after the accepted cancellation counts', async () => {
  const paymentId = await unsigned()
  await forget('getPaymentStatus')
  await cancel(paymentId)
  await bank.clearFaults()
  await passTime(gateway, 'PT1M')
  expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
})

test('a lost answer counts as accepted when the bank, called again, does not know the order', async () => {
  const paymentId = await unsigned()
  await forget('getPaymentStatus')
  await bank.injectFault({ operation: 'cancelPayment', effect: 'drop-request', times: 1 })
  expect(await cancel(paymentId)).toMatchObject({ status: 503 })
  await forget('cancelPayment')
  expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'ACCEPTED' } })
  expect(await approve(paymentId)).toMatchObject(WITHDRAWN)
})

test('a bank that does not know the order at the first request has not cancelled it', async () => {
  const paymentId = await unsigned()
  await forget('cancelPayment')
  expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'REJECTED' } })
})
