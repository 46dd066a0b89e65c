/** Tests payments whose bank cannot be polled: a short failure costs seconds, and no change is missed. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { findPaymentsOf } from '../find-orders.ts'
import type { Payment } from '../payment.ts'
import { pollPayment, recordUserSignature } from './poll-payment.ts'

let gateway: TestGateway
let bank: SandboxBankControl
let consent: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  consent = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await bank.clearFaults()
  await sql('update banks set paused_until = null, failures = 0, failing_since = null')
  await sql('update payments set poll_at = null')
})

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

const now = () => gateway.context.clock.now()
const hoursAgo = (hours: number) => now().subtract({ hours }).toString()

/** A payment that was polled three hours ago by a slow schedule, and that is due. */
async function due(): Promise<string> {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  await sql('update payments set status_at = $2, poll_at = $3, poll_step = 4 where id = $1', [
    paymentId,
    hoursAgo(3),
    hoursAgo(0),
  ])
  return paymentId
}

async function found(paymentId: string): Promise<Payment> {
  const [row] = await sql<{ partner: string }>('select partner_id as partner from payments where id = $1', [paymentId])
  const [payment] = await findPaymentsOf(gateway.context, row?.partner ?? '', [paymentId])
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}

async function secondsToNextRead(paymentId: string): Promise<number> {
  return (await found(paymentId)).pollAt?.since(now()).total('seconds') ?? Number.NaN
}

const cannotBeRead = (times = 1) =>
  bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 503, times })

test('one failed poll costs seconds, however long ago the last one was', async () => {
  const paymentId = await due()
  await cannotBeRead()
  await gateway.sweep()
  expect(await secondsToNextRead(paymentId)).toBeLessThanOrEqual(10)
  expect(await found(paymentId)).toMatchObject({ pollStep: 4, unreadSince: expect.anything() })
})

test('a lasting outage is polled ever more rarely, and ends with the first answer', async () => {
  const paymentId = await due()
  await sql('update payments set unread_since = $2 where id = $1', [paymentId, hoursAgo(1)])
  await cannotBeRead()
  await gateway.sweep()
  const seconds = await secondsToNextRead(paymentId)
  expect(seconds).toBeGreaterThan(300)
  expect(seconds).toBeLessThanOrEqual(361)
  await sql('update payments set poll_at = $2 where id = $1', [paymentId, hoursAgo(0)])
  await gateway.sweep()
  expect(await found(paymentId)).toMatchObject({ unreadSince: null, pollStep: 5 })
})

test.each<[what: string, happen: (payment: Payment) => Promise<unknown>]>([
  ['a signature', (payment) => recordUserSignature(gateway.context, payment)],
  [
    'a notification',
    ({ id }) =>
      sql('update payments set bank_notified_at = $2 where id = $1', [id, gateway.context.clock.real().toString()]),
  ],
])('%s during a failed poll is not delayed by the backoff', async (_what, happen) => {
  const asRead = await found(await due())
  await happen(asRead)
  await cannotBeRead()
  await pollPayment(gateway.context, asRead)
  expect(await secondsToNextRead(asRead.id)).toBeLessThanOrEqual(0)
})
