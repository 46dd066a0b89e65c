/** Records status changes of payments at a set rate or at full speed, and computes the delivery delays. */
import type { Payment } from '../../gateway/orders/payment.ts'
import { waitUntil } from '../../launcher/processes.ts'
import { atEvenRate } from '../environment/even-rate.ts'
import type { Endpoints, Recorded, Recorder, Subscriber } from './webhook-endpoints.ts'

export type Change = { readonly subscriber: Subscriber; readonly payment: Payment }

export type RecordedChange = Recorded & { readonly subscriber: Subscriber }

/** The number of database connections of a process. */
const RECORDERS = 10
const DELIVERY_TIMEOUT_MILLISECONDS = 600_000

/** Creates payments, spread evenly over the subscribers in turn. */
export async function prepareChanges(
  recorder: Recorder,
  subscribers: readonly Subscriber[],
  count: number,
): Promise<readonly Change[]> {
  const each = Math.ceil(count / subscribers.length)
  const lists: (readonly Change[])[] = []
  for (const subscriber of subscribers) {
    lists.push((await recorder.prepare(subscriber, each)).map((payment) => ({ subscriber, payment })))
  }
  return Array.from({ length: each }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** Each is recorded on schedule, independent of the previous ones. */
export async function recordChangesAtPace(
  recorder: Recorder,
  changes: readonly Change[],
  perSecond: number,
): Promise<RecordedChange[]> {
  const recorded: Promise<RecordedChange>[] = []
  for await (const at of atEvenRate(changes.length, perSecond)) {
    recorded.push(...changes.slice(at, at + 1).map((change) => record(recorder, change)))
  }
  return await Promise.all(recorded)
}

/** As fast as the database permits. */
export async function recordAllChanges(recorder: Recorder, changes: readonly Change[]): Promise<RecordedChange[]> {
  const recorded: RecordedChange[] = []
  const rest = changes.values()
  await Promise.all(
    Array.from({ length: RECORDERS }, async () => {
      for (const change of rest) {
        recorded.push(await record(recorder, change))
      }
    }),
  )
  return recorded
}

async function record(recorder: Recorder, { subscriber, payment }: Change): Promise<RecordedChange> {
  return { subscriber, ...(await recorder.complete(payment)) }
}

/** Waits until this many deliveries have arrived, including retries. */
export async function waitUntilDelivered(endpoints: Endpoints, count: number): Promise<void> {
  const arrived = await waitUntil(async () => (await endpoints.count()) >= count, DELIVERY_TIMEOUT_MILLISECONDS)
  if (!arrived) {
    throw new Error(`Of ${count} deliveries ${await endpoints.count()} have arrived`)
  }
}

/** Milliseconds from the record of a change to its delivery. Throws when one was not delivered. */
export function delays(changes: readonly RecordedChange[], arrivals: ReadonlyMap<string, number>): readonly number[] {
  return changes.flatMap(({ subscriber, paymentId, at }) =>
    subscriber.paths.map((path) => {
      const arrivedAt = arrivals.get(`${path} ${paymentId}`)
      if (arrivedAt === undefined) {
        throw new Error(`The change of payment ${paymentId} was not delivered to ${path}`)
      }
      return arrivedAt - at
    }),
  )
}
