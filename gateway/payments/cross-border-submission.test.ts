/** Tests that a cross-border order is submitted once, and that repeated, unknown and expired ones are handled. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { findPayment } from '../orders/store/payment-store.ts'
import { settleAsNeverAcknowledged, settleByBankOrder } from '../orders/submit/settle-unknown-outcome.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, countSideEffects, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/payments/cross-border'] as const
const FJORD = nordicBank('FJORNO22')
const EURO = { bban: '80501100076', currency: 'EUR' }

let gateway: TestGateway
let payer: PaymentDriver
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
  headers = await validHeaders(gateway, (await payer.consentOf(FJORD)).consentId)
})
afterEach(() => openSandboxBankControl(gateway.bank).clearFaults())
afterAll(() => gateway.close())

const order = (changes: Partial<CrossBorderPayment> = {}) => crossBorderPayment(gateway, FJORD, EURO, changes)
const initiate = (body: CrossBorderPayment, key?: string): Promise<Answer> =>
  sendRawRequest(gateway, OPERATION, { headers: { ...headers, 'idempotency-key': key }, body })
const paymentIdOf = ({ body }: Answer): string => String(Object(body).paymentId)
const shown = (paymentId: string) => gateway.client.getPayment({ params: { paymentId } })

async function stored(paymentId: string) {
  const { rows } = await gateway.context.database.pool.query('select partner_id as id from payments where id = $1', [
    paymentId,
  ])
  const payment = await findPayment(gateway.context.database, { partnerId: rows[0].id, id: paymentId })
  if (payment === undefined) {
    throw new Error(`There is no payment ${paymentId}`)
  }
  return payment
}

describe('the same order again', () => {
  test('under its key returns the same bytes, and the bank is not called', async () => {
    const body = order()
    const first = await initiate(body, 'cross-border-once')
    const before = await countSideEffects(gateway)
    const again = await initiate(body, 'cross-border-once')
    expect(first).toMatchObject({ status: 200, body: { paymentStatus: { status: 'Unsigned' } } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('under its key with another body is rejected', async () => {
    await initiate(order(), 'cross-border-two')
    expect(await initiate(order(), 'cross-border-two')).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest' }],
    })
  })

  test('without a key is accepted with a warning that names the first, in whatever format its number is written', async () => {
    const body = order()
    const first = paymentIdOf(await initiate(body))
    const spaced = { ...body.to.account, type: 'bban', bban: 'de89 3704 0044 0532 0130 00', iban: undefined }
    const again = await sendRawRequest(gateway, OPERATION, {
      headers,
      body: { ...body, to: { ...body.to, account: spaced } },
    })
    expect(again).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'PossibleDuplicate', path: '.metadata.endToEndId', paymentId: first }] },
    })
  })
})

describe('an order whose answer is lost', () => {
  async function lost(key?: string) {
    const before = new Set((await openSandboxBankControl(gateway.bank).payments()).map(({ paymentId }) => paymentId))
    await openSandboxBankControl(gateway.bank).injectFault({
      operation: 'initiatePayment',
      effect: 'drop-connection',
      times: 1,
    })
    const body = order()
    const answer = await initiate(body, key)
    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringMatching(/its response is unknown/) } })
    const held = (await openSandboxBankControl(gateway.bank).payments()).find(({ paymentId }) => !before.has(paymentId))
    return { body, paymentId: paymentIdOf(answer), bankPaymentId: held?.paymentId ?? '' }
  }

  test('is shown as unknown, and can neither be ordered again nor approved; it is not submitted again', async () => {
    const { body, paymentId } = await lost('cross-border-lost')
    expect(await shown(paymentId)).toMatchObject({
      type: 'CrossBorder',
      outcomeUnknown: true,
      finalStatus: false,
      paymentStatus: { status: 'Unsigned' },
    })
    expect(await initiate(body, 'cross-border-lost')).toMatchObject({ status: 409, body: { paymentId } })
    expect(await initiate(body)).toMatchObject({ status: 409, body: { paymentId } })
    await expect(payer.sign(FJORD, paymentId)).rejects.toMatchObject({ status: 422 })
  })

  test('is settled only by what the bank shows under its id', async () => {
    const [first, other] = [await lost(), paymentIdOf(await initiate(order()))]
    const otherAtBank = (await stored(other)).bankPaymentId ?? ''
    expect(await settleByBankOrder(gateway.context, await stored(first.paymentId), otherAtBank)).toBe(false)
    expect(await settleByBankOrder(gateway.context, await stored(first.paymentId), first.bankPaymentId)).toBe(true)
    expect(await shown(first.paymentId)).toMatchObject({ outcomeUnknown: false, paymentStatus: { status: 'Unsigned' } })
    expect(await payer.sign(FJORD, first.paymentId)).toMatchObject({ status: 'InProgress' })
  })

  test('is closed when two operators report that the bank never accepted it', async () => {
    const { paymentId } = await lost()
    await settleAsNeverAcknowledged(gateway.context, await stored(paymentId))
    expect(await shown(paymentId)).toMatchObject({ finalStatus: true, paymentStatus: { status: 'Rejected' } })
  })
})

describe('an order that the bank rejects', () => {
  test('leaves nothing behind, so that the same order can be sent again', async () => {
    const body = order()
    await openSandboxBankControl(gateway.bank).injectFault({
      operation: 'initiatePayment',
      effect: 'status',
      status: 400,
      times: 1,
    })
    const before = await countSideEffects(gateway)
    expect((await initiate(body)).status).toBe(422)
    expect({ ...(await countSideEffects(gateway)), bankCalls: 0 }).toEqual({ ...before, bankCalls: 0 })
    const again = await initiate(body)
    expect(again).toMatchObject({ status: 200 })
    expect(again.body).not.toHaveProperty('warnings')
  })
})

describe('an unsigned order that has expired at its bank', () => {
  test('is resubmitted by its next approval: identical amount, receiver and date', async () => {
    const bank = openSandboxBankControl(gateway.bank)
    const paymentId = paymentIdOf(await initiate(order()))
    const before = await stored(paymentId)
    await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 404 })
    await bank.injectFault({ operation: 'cancelPayment', effect: 'status', status: 404 })
    // Once to find that it is gone, and once long enough afterwards.
    await passTime(gateway, 'PT2M')
    await passTime(gateway, 'PT10M')
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    await gateway.client.approvePayments({ ...(await payer.consentOf(FJORD)), body })
    await bank.clearFaults()
    const after = await stored(paymentId)
    expect(after.bankPaymentId).not.toBe(before.bankPaymentId)
    expect(await heldAs(after.bankPaymentId ?? '')).toEqual(await heldAs(before.bankPaymentId ?? ''))
  })

  async function heldAs(bankPaymentId: string): Promise<unknown> {
    const { rows } = await gateway.context.database.pool.query(
      'select product, debtor, creditor, amount_minor, currency, requested_on, body from sandbox_bank.payments where id = $1',
      [bankPaymentId],
    )
    return rows[0]
  }
})
