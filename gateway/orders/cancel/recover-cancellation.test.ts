/** Tests cancellations without an answer of the bank, and crashes during a cancellation. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../../testing/browser/bank-user.ts'
import { type Answer, sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../../testing/payments/payment-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const FJORD = nordicBank('FJORNO22')
const NOTHING_DONE = { operation: 'cancelPayment', effect: 'drop-request', times: 1 } as const

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

async function sql<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

async function unsigned(): Promise<string> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
  return (await payer.order(FJORD, { dueDate })).paymentId
}

async function signed(): Promise<string> {
  const paymentId = await unsigned()
  await payer.sign(FJORD, paymentId)
  return paymentId
}

const cancel = (paymentId: string): Promise<Answer> =>
  sendRawRequest(gateway, ['POST', '/api/v2/payments/cancel'], { headers, body: { paymentId, callbackUrl: CALLBACK } })

type Stored = { id: string; status: string; reason: string | null }

async function storedOf(paymentId: string): Promise<Stored | undefined> {
  return (await sql<Stored>('select id, status, reason from cancellations where payment_id = $1', paymentId))[0]
}

/** Runs the worker's recovery, once it is due. */
async function recover(): Promise<void> {
  await sql("update cancellations set recover_at = '2020-01-01', lease_until = null where status = 'REQUESTED'")
  await gateway.sweep()
}

const UNKNOWN = {
  status: 503,
  body: {
    message: expect.stringMatching(
      /^The bank was called and its response is unknown: it may or may not cancel the payment/,
    ),
  },
}
const CANCELLED = {
  status: 200,
  body: { cancellationRequestStatus: 'ACCEPTED', currentPaymentStatus: { status: 'Cancelled' }, reason: null },
}

describe('a lost answer', () => {
  test('is recovered by the status of the payment', async () => {
    await bank.injectFault({ operation: 'cancelPayment', effect: 'drop-connection', times: 1 })
    expect(await cancel(await unsigned())).toMatchObject(CANCELLED)
  })

  test('is an error for the partner, who repeats the request and gets the same cancellation, executed', async () => {
    const paymentId = await unsigned()
    await bank.injectFault(NOTHING_DONE)
    expect(await cancel(paymentId)).toMatchObject(UNKNOWN)
    const requested = await storedOf(paymentId)
    expect(
      await sendRawRequest(gateway, ['GET', `/api/v2/payments/cancel/${requested?.id}`], { headers }),
    ).toMatchObject(UNKNOWN)
    expect(await cancel(paymentId)).toMatchObject({ ...CANCELLED, body: { ...CANCELLED.body, id: requested?.id } })
  })

  test('names the payment', async () => {
    const paymentId = await unsigned()
    await bank.injectFault(NOTHING_DONE)
    expect(await cancel(paymentId)).toMatchObject({ body: { paymentId } })
  })

  test('is recovered by a worker, which calls the bank again', async () => {
    const paymentId = await unsigned()
    await bank.injectFault(NOTHING_DONE)
    await cancel(paymentId)
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({ status: 'ACCEPTED', reason: null })
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  })

  test('is retried while the bank is unavailable, but not for ever', async () => {
    const paymentId = await unsigned()
    await bank.injectFault({ operation: 'cancelPayment', effect: 'status', status: 503 })
    await cancel(paymentId)
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({ status: 'REQUESTED' })
    await sql(
      "update cancellations set requested_at = requested_at - interval '16 minutes' where payment_id = $1",
      paymentId,
    )
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({
      status: 'REJECTED',
      reason: expect.stringMatching(/did not answer the cancellation/),
    })
    await bank.clearFaults()
    expect(await cancel(paymentId)).toMatchObject(CANCELLED)
  })

  test('is not recovered by a worker when the user has signed the payment since', async () => {
    const paymentId = await unsigned()
    await bank.injectFault(NOTHING_DONE)
    await cancel(paymentId)
    expect(await payer.sign(FJORD, paymentId)).toMatchObject({ status: 'InProgress' })
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({
      status: 'REJECTED',
      reason: expect.stringMatching(/signed after/),
    })
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'InProgress' })
  })

  test('is not recovered by a worker when the user has started to sign the payment', async () => {
    const paymentId = await unsigned()
    await bank.injectFault(NOTHING_DONE)
    await cancel(paymentId)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { sca } = await gateway.client.approvePayments({ ...(await payer.consentOf(FJORD)), body })
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({ status: 'REJECTED' })
    const back = await visitBank(sca?.type === 'redirect' ? sca.url : '')
    expect(back.searchParams.get('status')).toBe('success')
  })

  test('ends REJECTED where the bank requires a signature and no user is present', async () => {
    const paymentId = await signed()
    await bank.injectFault(NOTHING_DONE)
    await cancel(paymentId)
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({
      status: 'REJECTED',
      reason: expect.stringMatching(/requires a signature for the cancellation/),
    })
  })
})

describe('a bank that rejects', () => {
  test.each([405, 409])('with %i rejects the cancellation, with its reason', async (status) => {
    const paymentId = await unsigned()
    await bank.injectFault({ operation: 'cancelPayment', effect: 'status', status })
    expect(await cancel(paymentId)).toMatchObject({
      status: 200,
      body: {
        cancellationRequestStatus: 'REJECTED',
        currentPaymentStatus: { status: 'Unsigned' },
        reason: expect.stringMatching(/A fault injected by the control API/),
      },
    })
  })

  test('the request leaves nothing behind', async () => {
    const paymentId = await unsigned()
    await bank.injectFault({ operation: 'cancelPayment', effect: 'status', status: 429, times: 1 })
    expect(await cancel(paymentId)).toMatchObject({ status: 503 })
    expect(await storedOf(paymentId)).toBeUndefined()
    expect(await cancel(paymentId)).toMatchObject(CANCELLED)
  })

  test('the start of the SCA leaves nothing behind', async () => {
    const paymentId = await signed()
    await bank.injectFault({
      operation: 'startPaymentCancellationAuthorisation',
      effect: 'status',
      status: 409,
      times: 1,
    })
    expect(await cancel(paymentId)).toMatchObject({
      status: 400,
      body: { failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' },
    })
    expect(await storedOf(paymentId)).toBeUndefined()
  })
})

describe('a process that crashes', () => {
  /** While this lasts, inserts there fail: the process ends where it would have crashed. */
  async function dyingWhere(table: string, condition: string, work: () => Promise<Answer>): Promise<void> {
    await sql(`alter table ${table} add constraint death check (not (${condition})) not valid`)
    try {
      expect(await work()).toMatchObject({ status: 500 })
    } finally {
      await sql(`alter table ${table} drop constraint death`)
    }
  }

  test('before the bank was called makes a worker execute the cancellation', async () => {
    const paymentId = await unsigned()
    await dyingWhere('approval_leases', 'true', () => cancel(paymentId))
    expect(await storedOf(paymentId)).toMatchObject({ status: 'REQUESTED' })
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({ status: 'ACCEPTED' })
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  })

  test('after the bank accepted it makes a worker find the outcome', async () => {
    const paymentId = await unsigned()
    await dyingWhere('cancellations', `status = 'ACCEPTED'`, () => cancel(paymentId))
    expect(await storedOf(paymentId)).toMatchObject({ status: 'REQUESTED' })
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({ status: 'ACCEPTED', reason: null })
  })

  test('before the SCA session is stored requires the user to repeat the request', async () => {
    const paymentId = await signed()
    await dyingWhere('sca_sessions', 'true', () => cancel(paymentId))
    await recover()
    expect(await storedOf(paymentId)).toMatchObject({ status: 'REJECTED' })
    expect(await cancel(paymentId)).toMatchObject({ body: { cancellationRequestStatus: 'AUTHORIZATION_REQUIRED' } })
  })

  test('after the user signed leaves the notification to the sweep over SCA sessions', async () => {
    const paymentId = await signed()
    const requested = await gateway.client.cancelPayment({
      ...(await payer.consentOf(FJORD)),
      body: { paymentId, callbackUrl: CALLBACK },
    })
    await sql(`alter table cancellations add constraint death check (status <> 'ACCEPTED') not valid`)
    await visitBank(requested.sca?.type === 'redirect' ? requested.sca.url : '').catch(() => undefined)
    await sql('alter table cancellations drop constraint death')
    expect(await storedOf(paymentId)).toMatchObject({ status: 'AUTHORIZATION_REQUIRED' })
    await passTime(gateway, 'PT1M')
    expect(await storedOf(paymentId)).toMatchObject({ status: 'ACCEPTED', reason: null })
  })
})
