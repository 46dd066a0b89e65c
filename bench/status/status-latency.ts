/** Measures the delay from a bank's status change to our record and event, and the number of calls. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { waitUntil } from '../../gateway/platform/wait-until.ts'
import type { StubbedHavn } from '../bench-part.ts'
import type { Initiate } from '../environment/initiation-client.ts'
import { moveBank, type RunningHavn, resetPayments } from '../environment/running-havn.ts'
import { atMost, quantile } from '../figures.ts'

export type StatusLatency = {
  readonly p50Seconds: number
  readonly p95Seconds: number
  readonly slowestSeconds: number
  readonly callsPerPayment: number
}

/** The number of payments, and the time over which their signatures and settlements are spread. */
export type StatusLatencyPlan = {
  readonly payments: number
  readonly seconds: number
  /** The bank settles each within this time of its signature. */
  readonly settledWithinSeconds: number
  /** Payments of another year in the same tables. */
  readonly storedPayments: number
}

/** A bank that accepts connections and never responds: the worst kind of outage. */
const SILENT_BIC = 'NEDENO22'
const DIRECTORY_MILLISECONDS = 6_000
const COMPLETING = { withinMilliseconds: 60_000, everyMilliseconds: 50 }

/** Payments are signed at an even rate; the bank settles each at a random moment soon afterwards. */
export async function measureStatusLatency(
  bench: StubbedHavn,
  plan: StatusLatencyPlan,
  besideEach: () => Promise<void> = async () => undefined,
): Promise<StatusLatency> {
  const { havn, stub } = bench
  await resetPayments(havn, plan.storedPayments)
  await havn.database.pool.query('truncate events')
  const ids = await ordersOf(bench, plan.payments)
  const calls = stub.statusCalls()
  const reportedAt = new Map<string, number>()
  await Promise.all(
    ids.map(async ({ id, bankPaymentId }, n) => {
      await pause((plan.seconds * 1000 * n) / ids.length)
      stub.say(bankPaymentId, 'ACSP')
      await sign(havn, id)
      await besideEach()
      await pause(((n * 7919) % (plan.settledWithinSeconds * 1000)) + 1)
      stub.say(bankPaymentId, 'ACSC')
      reportedAt.set(id, wallMilliseconds())
    }),
  )
  const recordedAt = await completedAt(havn, ids.length)
  const delays = ids.map(({ id }) => ((recordedAt.get(id) ?? Number.NaN) - (reportedAt.get(id) ?? Number.NaN)) / 1000)
  return {
    p50Seconds: quantile(delays, 0.5),
    p95Seconds: quantile(delays, 0.95),
    slowestSeconds: quantile(delays, 1),
    callsPerPayment: (stub.statusCalls() - calls) / ids.length,
  }
}

/** The same while payments of a bank that never responds fall due, one for each responsive bank's payment. */
export async function measureStatusLatencyWithSilentBank(
  bench: StubbedHavn,
  plan: StatusLatencyPlan,
): Promise<StatusLatency> {
  const silent = createServer(() => undefined)
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  await moveBank(bench.havn, { bic: SILENT_BIC, name: 'Nedebanken' }, `http://127.0.0.1:${port}/nedebanken`)
  await pause(DIRECTORY_MILLISECONDS)
  try {
    const withSilent = { ...bench, initiate: alsoInitiateAtSilentBank(bench, plan.payments) }
    return await measureStatusLatency(withSilent, plan, () => makeSilentBankPaymentDue(bench.havn))
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
}

/** As many orders as requested, and as many again that are moved to the silent bank. */
function alsoInitiateAtSilentBank({ havn, initiate }: StubbedHavn, count: number): Initiate {
  let ordered = 0
  return async () => {
    const endToEndId = await initiate()
    ordered += 1
    if (ordered <= count) {
      await havn.database.pool.query(
        'update payments set bic = $2, signed = true, poll_at = null where end_to_end_id = $1',
        [endToEndId, SILENT_BIC],
      )
      return await initiate()
    }
    return endToEndId
  }
}

async function makeSilentBankPaymentDue({ database }: RunningHavn): Promise<void> {
  await database.pool.query(
    `update payments set poll_at = $2 where (partner_id, id) = (
       select partner_id, id from payments where bic = $1 and poll_at is null limit 1 for update skip locked)`,
    [SILENT_BIC, wallNow()],
  )
}

type Ordered = { readonly id: string; readonly bankPaymentId: string }

/** Orders so many payments, and returns them with the bank's ids. */
export async function ordersOf(
  { havn, initiate }: Pick<StubbedHavn, 'havn' | 'initiate'>,
  count: number,
): Promise<readonly Ordered[]> {
  const endToEndIds: string[] = []
  for (let number = 0; number < count; number += 1) {
    endToEndIds.push(await initiate())
  }
  const { rows } = await havn.database.pool.query<Ordered>(
    'select id, bank_payment_id as "bankPaymentId" from payments where end_to_end_id = any($1)',
    [endToEndIds],
  )
  return rows
}

/** As the end of an approval does. */
export async function sign({ database }: RunningHavn, id: string): Promise<void> {
  const signed = 'update payments set signed = true, poll_at = $2, poll_step = 0 where id = $1'
  await database.pool.query(signed, [id, wallNow()])
}

function wallNow(): string {
  return Temporal.Instant.fromEpochMilliseconds(wallMilliseconds()).toString()
}

/** When the completion events were recorded, by the time in their stamps. */
async function completedAt({ database }: RunningHavn, count: number): Promise<ReadonlyMap<string, number>> {
  const readEvents = async () => {
    const { rows } = await database.pool.query<{ stamp: string; paymentId: string }>(
      `select stamp, subject_id as "paymentId" from events where type = 'PAYMENT_STATUS_COMPLETED'`,
    )
    return rows
  }
  const events = await waitUntil(readEvents, ({ length }) => length >= count, COMPLETING)
  if (events.length < count) {
    throw new Error('Not every payment has an event of completion')
  }
  return new Map(events.map(({ stamp, paymentId }) => [paymentId, millisecondsOf(stamp)]))
}

/** The time in a UUID of version 7. */
function millisecondsOf(uuid: string): number {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
}

/** From the bank's status change to our record and event, and the calls per payment. */
export function statusLatencyLines(
  when: string,
  { p50Seconds, p95Seconds, callsPerPayment }: StatusLatency,
): readonly string[] {
  const p95 = atMost(p95Seconds, 3, { unit: ' s', decimals: 2 })
  return [
    `From the bank's status change to our event, after signing, ${when}:`,
    `  p50 ${p50Seconds.toFixed(2)} s, p95 ${p95}`,
    `  calls to the bank per payment  ${callsPerPayment.toFixed(1)}`,
  ]
}
