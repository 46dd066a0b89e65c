/** Guarantees about orders that a bank withdrew and then does not know any more: nobody pays what was cancelled. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nextBankDay } from '../countries/bank-days.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type AtBank, atBank } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, ask, soundHeaders } from '../testing/contract/send-raw-request.ts'
import { startWholeGateway, type WholeGateway } from '../testing/gateway/test-gateway.ts'
import { openPayer, type Payer } from '../testing/payments/payment-driver.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'

const FJORD = nordicBank('FJORNO22')

let gateway: WholeGateway
let payer: Payer
let bank: AtBank
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startWholeGateway()
  payer = openPayer(gateway)
  bank = atBank(gateway.bank)
  await payer.nextMorning()
  headers = await soundHeaders(gateway, (await payer.consentOf(FJORD)).consentId)
})
afterEach(() => bank.heal())
afterAll(() => gateway.close())

async function unsigned(): Promise<string> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  return (await payer.order(FJORD, { dueDate: nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString() })).paymentId
}

const cancel = (paymentId: string): Promise<Answer> =>
  ask(gateway, ['POST', '/api/v2/payments/cancel'], { headers, body: { paymentId, callbackUrl: CALLBACK } })
const approve = (paymentId: string): Promise<Answer> =>
  ask(gateway, ['POST', '/api/v2/payments/approve'], {
    headers,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
const forget = (operation: string) => bank.strike({ operation, effect: 'status', status: 404 })

const WITHDRAWN = {
  status: 422,
  body: [{ path: '.payments[0]', reason: expect.stringMatching(/withdrawn/) }],
}

test('a payment that was cancelled is not placed again, and is Cancelled once the bank has not known it for minutes', async () => {
  const paymentId = await unsigned()
  const orders = (await bank.payments()).length
  await forget('getPaymentStatus')
  expect(await cancel(paymentId)).toMatchObject({
    body: { cancellationRequestStatus: 'ACCEPTED', currentPaymentStatus: { status: 'Unsigned' } },
  })
  expect(await approve(paymentId)).toMatchObject(WITHDRAWN)
  await gateway.client.moveSandboxClock({ body: { advance: 'PT15M' } })
  expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  expect(await approve(paymentId)).toMatchObject({ status: 422 })
  expect((await bank.payments()).length).toBe(orders)
})

test('a bank that shows the order again after its yes is believed', async () => {
  const paymentId = await unsigned()
  await forget('getPaymentStatus')
  await cancel(paymentId)
  await bank.heal()
  await gateway.client.moveSandboxClock({ body: { advance: 'PT1M' } })
  expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
})

test('an answer that was lost is a yes when the bank, asked again, does not know the order', async () => {
  const paymentId = await unsigned()
  await forget('getPaymentStatus')
  await bank.strike({ operation: 'cancelPayment', effect: 'down', times: 1 })
  expect(await cancel(paymentId)).toMatchObject({ status: 503 })
  await forget('cancelPayment')
  expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'ACCEPTED' } })
  expect(await approve(paymentId)).toMatchObject(WITHDRAWN)
})

test('a bank that does not know the order when it is first asked has not cancelled it', async () => {
  const paymentId = await unsigned()
  await forget('cancelPayment')
  expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'REJECTED' } })
})
