/** Tests polls that are recorded without a call, where the poll would only record the same status again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, OLA } from '../testing/payments/sample-payments.ts'
import { type LastStatusRead, recordUnchangedPayments } from './record-unchanged-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

/** A change of a due payment, and whether its poll is recorded without a call. */
const CASES = [
  ['a first poll of an unsigned order', '', true],
  ['a later poll of a signed order', `signed = true, signed_at = status_at, status = 'InProgress'`, true],
  [
    'a final order, whatever its due date',
    `status = 'Completed', final_since = status_at, due_date = due_date - 9`,
    true,
  ],
  ['the first poll after the signature', `signed = true, signed_at = status_at + interval '1 second'`, false],
  ['the poll after a failed one', 'unread_since = status_at', false],
  ['an order after its due date', 'due_date = due_date - 9', false],
  ['an order that the bank has cancelled', 'cancellation_accepted_at = status_at', false],
  ['an order that the bank no longer holds', 'expired_at = status_at', false],
  ['an order with an unknown outcome', `outcome = 'unknown'`, false],
  ['an order whose poll a notification triggered', `bank_notified_at = now() + interval '1 hour'`, false],
  ['an order that another worker polls', `lease_until = now() + interval '1 hour'`, false],
  ['an order whose poll is not due', `poll_at = poll_at + interval '1 hour'`, false],
] as const

async function orderUnder(consent: Awaited<ReturnType<typeof acceptedConsent>>): Promise<string> {
  const body = domesticPayment(gateway)
  return (await gateway.client.initiateDomesticPayment({ ...consent, body })).paymentId
}

it('records the poll where nothing else follows from it, and leaves one payment of each consent to be polled', async () => {
  const consent = await acceptedConsent(gateway)
  const ended = await acceptedConsent(gateway, OLA)
  const sampled = await orderUnder(consent)
  const ids: string[] = []
  for (const [, change] of CASES) {
    const id = await orderUnder(consent)
    ids.push(id)
    await sql('update payments set poll_at = status_at where id = $1', [id])
    await (change !== '' && sql(`update payments set ${change} where id = $1`, [id]))
  }
  const [changed, endedFirst, endedSecond] = [
    await orderUnder(consent),
    await orderUnder(ended),
    await orderUnder(ended),
  ]
  await sql('update payments set poll_at = status_at where id = any($1)', [[changed, endedFirst, endedSecond]])
  await sql(`update payments set poll_at = status_at - interval '1 hour' where id = $1`, [sampled])
  await sql(`update consents set status = 'EXPIRED' where id = $1`, [ended.consentId])
  const before = await sql<{ id: string; step: number }>('select id, poll_step as step from payments')

  const requested: LastStatusRead[] = []
  const [atBank] = await sql<{ id: string }>('select bank_payment_id as id from payments where id = $1', [changed])
  await recordUnchangedPayments(gateway.context, async (reads) => {
    requested.push(...reads)
    return new Set(reads.map(({ paymentId }) => paymentId).filter((id) => id !== atBank?.id))
  })

  const after = await sql<{ id: string; step: number; isAhead: boolean }>(
    'select id, poll_step as step, poll_at > $1 as "isAhead" from payments',
    [gateway.context.clock.now().toString()],
  )
  const wasRecorded = (id: string) => {
    const [old, now] = [before, after].map((rows) => rows.find((row) => row.id === id)?.step ?? 0)
    return now === (old ?? 0) + 1
  }
  expect(CASES.map(([what], index) => [what, wasRecorded(ids[index] ?? '')])).toEqual(
    CASES.map(([what, , isRecorded]) => [what, isRecorded]),
  )
  for (const id of ids.filter(wasRecorded)) {
    expect(after.find((row) => row.id === id)?.isAhead).toBe(true)
  }
  expect([sampled, changed, endedFirst, endedSecond].filter(wasRecorded)).toEqual([])
  expect(requested).toContainEqual(expect.objectContaining({ paymentId: atBank?.id, transactionStatus: 'RCVD' }))
})
