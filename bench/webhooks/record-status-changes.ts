/** Records changes of payments, at a steady pace or as fast as it goes, and tells how soon each was delivered. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Payment } from '../../gateway/orders/payment.ts'
import { waitUntil } from '../../launcher/processes.ts'
import type { Endpoints } from './webhook-endpoints.ts'
import type { Recorded, Recorder, Subscriber } from './webhook-subscribers.ts'

/** A change to come: of whose payment, and which one. */
export type Change = { readonly subscriber: Subscriber; readonly payment: Payment }

/** A change that was recorded. */
export type Told = Recorded & { readonly subscriber: Subscriber }

/** As many as the database connections of a process. */
const RECORDERS = 10
const ARRIVED_WITHIN_MILLISECONDS = 600_000

/** Makes so many payments, spread evenly over the subscribers and taking turns. */
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

/** Each is recorded when its time has come, whatever the ones before do. */
export async function recordAtPace(recorder: Recorder, changes: readonly Change[], perSecond: number): Promise<Told[]> {
  const began = performance.now()
  const recorded: Promise<Told>[] = []
  for (const [at, change] of changes.entries()) {
    await pause(Math.max(0, began + (at * 1000) / perSecond - performance.now()))
    recorded.push(record(recorder, change))
  }
  return await Promise.all(recorded)
}

/** As fast as the database takes them. */
export async function recordAll(recorder: Recorder, changes: readonly Change[]): Promise<Told[]> {
  const recorded: Told[] = []
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

async function record(recorder: Recorder, { subscriber, payment }: Change): Promise<Told> {
  return { subscriber, ...(await recorder.complete(payment)) }
}

/** Waits until so many deliveries have arrived, repeated ones included. */
export async function untilArrived(endpoints: Endpoints, count: number): Promise<void> {
  const arrived = await waitUntil(async () => (await endpoints.count()) >= count, ARRIVED_WITHIN_MILLISECONDS)
  if (!arrived) {
    throw new Error(`Of ${count} deliveries ${await endpoints.count()} have arrived`)
  }
}

/** How many milliseconds after its change was recorded each delivery arrived. Throws when one has not. */
export function delays(told: readonly Told[], arrivals: ReadonlyMap<string, number>): readonly number[] {
  return told.flatMap(({ subscriber, paymentId, at }) =>
    subscriber.paths.map((path) => {
      const arrivedAt = arrivals.get(`${path} ${paymentId}`)
      if (arrivedAt === undefined) {
        throw new Error(`The change of payment ${paymentId} was not delivered to ${path}`)
      }
      return arrivedAt - at
    }),
  )
}
