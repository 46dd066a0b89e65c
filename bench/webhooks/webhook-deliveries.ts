/** Measures deliveries: how many a second, how soon, beside an endpoint that misbehaves, and while a backlog is drained. */
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import type { WorkerProcess } from '../environment/worker-process.ts'
import { quantile } from '../figures.ts'
import { barePerSecond } from './bare-delivery-loop.ts'
import { delays, prepareChanges, recordAll, recordAtPace, type Told, untilArrived } from './record-status-changes.ts'
import type { Endpoints, Misbehaviour } from './webhook-endpoints.ts'
import type { Recorder, Subscriber } from './webhook-subscribers.ts'

/** Everything that is measured on. */
export type WebhookBench = {
  readonly recorder: Recorder
  readonly endpoints: Endpoints
  readonly worker: WorkerProcess
}

export type Pace = { readonly perSecond: number; readonly seconds: number }

export type Throughput = {
  readonly delivered: number
  readonly bare: number
  /** While changes are being recorded on the same machine as fast as it goes. */
  readonly recordedAndDelivered: number
}
export type Drained = {
  readonly perSecond: number
  readonly peakMegabytes: number
  readonly newest: { readonly p95: number; readonly max: number }
}

/** How much is delivered of what waited, how much is recorded while it is delivered, and how long the bare loop is counted. */
export type ThroughputPlan = { readonly changes: number; readonly recorded: number; readonly seconds: number }

/** Connections are opened by the first of them, as in the second that the bare loop has before it is counted. */
const WARM_UP_PART = 0.2

/** Changes that wait to be delivered, with the bare loop right before and after; and changes that are delivered while others are recorded. */
export async function throughput(
  bench: WebhookBench,
  subscribers: readonly Subscriber[],
  { changes, recorded, seconds }: ThroughputPlan,
): Promise<Throughput> {
  const { recorder, endpoints, worker } = bench
  const origins = subscribers.map(({ origin }) => origin)
  const measureBare = () => barePerSecond(endpoints, { origins, warmUpSeconds: 1, seconds })
  const waiting = await prepareChanges(recorder, subscribers, changes)
  worker.holdUp()
  const told = await recordAll(recorder, waiting)
  const bareBefore = await measureBare()
  worker.goOn()
  await untilArrived(endpoints, told.length)
  const arrivals = await endpoints.report()
  const delivered = arrivedPerSecond([...arrivals.values()])
  delays(told, arrivals)
  // The machine is quicker and slower by the minute, and recording took more than one.
  const bare = (bareBefore + (await measureBare())) / 2
  const next = await prepareChanges(recorder, subscribers, recorded)
  const begunAgain = performance.now()
  const toldAgain = await recordAll(recorder, next)
  await untilArrived(endpoints, toldAgain.length)
  const recordedAndDelivered = (toldAgain.length * 1000) / (performance.now() - begunAgain)
  delays(toldAgain, await endpoints.report())
  return { delivered, bare, recordedAndDelivered }
}

/** Arrivals after those of the warm-up, in the time that they took; times are in milliseconds. */
function arrivedPerSecond(times: readonly number[]): number {
  const counted = times.toSorted((one, other) => one - other).slice(Math.floor(times.length * WARM_UP_PART))
  const [from = Number.NaN, until = Number.NaN] = [counted[0], counted.at(-1)]
  return ((counted.length - 1) * 1000) / (until - from)
}

/** How soon deliveries arrive at a steady pace: of each subscriber's, in milliseconds. */
export async function latency(
  bench: WebhookBench,
  subscribers: readonly Subscriber[],
  { perSecond, seconds }: Pace,
): Promise<readonly number[]> {
  const changes = await prepareChanges(bench.recorder, subscribers, perSecond * seconds)
  const told = await recordAtPace(bench.recorder, changes, perSecond)
  await untilArrived(bench.endpoints, told.length)
  return delays(told, await bench.endpoints.report())
}

/** The same while one more subscriber has an endpoint that misbehaves: how soon the others' arrive. */
export async function latencyBeside(
  bench: WebhookBench,
  healthy: readonly Subscriber[],
  { subscriber: bad, manner, ...pace }: Pace & { readonly subscriber: Subscriber; readonly manner: Misbehaviour },
): Promise<readonly number[]> {
  for (const path of bad.paths) {
    bench.endpoints.misbehave(path, manner)
  }
  const changes = await prepareChanges(bench.recorder, [...healthy, bad], pace.perSecond * pace.seconds)
  const told = (await recordAtPace(bench.recorder, changes, pace.perSecond)).filter((one) => one.subscriber !== bad)
  await untilArrived(bench.endpoints, told.length)
  return delays(told, await bench.endpoints.report())
}

/** Deliveries that wait, many for each change, are drained while other partners' payments change at a slow pace. */
export async function drain(
  bench: WebhookBench,
  waiting: readonly Subscriber[],
  others: readonly Subscriber[],
  { deliveries, perSecond }: { readonly deliveries: number; readonly perSecond: number },
): Promise<Drained> {
  const { recorder, endpoints, worker } = bench
  const each = waiting[0]?.paths.length ?? 1
  const changes = await prepareChanges(recorder, waiting, Math.ceil(deliveries / each))
  worker.holdUp()
  const queued = await recordAll(recorder, changes)
  const begun = wallMilliseconds()
  worker.goOn()
  const newest = await recordUntil(bench, others, perSecond, queued.length * each)
  await untilArrived(endpoints, queued.length * each + newest.length)
  const arrivals = await endpoints.report()
  const queuedDelays = delays(queued, arrivals)
  const lastArrival = queued.map(
    ({ at }, index) => at + Math.max(...queuedDelays.slice(index * each, (index + 1) * each)),
  )
  const newestDelays = delays(newest, arrivals)
  return {
    perSecond: (queued.length * each * 1000) / (lastArrival.reduce((one, other) => Math.max(one, other)) - begun),
    peakMegabytes: await worker.peakMegabytes(),
    newest: { p95: quantile(newestDelays, 0.95), max: quantile(newestDelays, 1) },
  }
}

/** Records changes second by second until so many deliveries have arrived besides theirs. */
async function recordUntil(
  { recorder, endpoints }: WebhookBench,
  subscribers: readonly Subscriber[],
  perSecond: number,
  arrived: number,
): Promise<readonly Told[]> {
  const told: Told[] = []
  while ((await endpoints.count()) < arrived + told.length - perSecond) {
    const some = Array.from({ length: perSecond }, (_, at) => subscribers[(told.length + at) % subscribers.length])
    const changes = await prepareChanges(
      recorder,
      some.flatMap((one) => one ?? []),
      perSecond,
    )
    told.push(...(await recordAtPace(recorder, changes, perSecond)))
  }
  return told
}
