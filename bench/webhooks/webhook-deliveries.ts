/** Measures deliveries: throughput, delay, delay with a failing endpoint, and draining of a backlog. */
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import type { WorkerProcess } from '../environment/process-usage.ts'
import { quantile } from '../figures.ts'
import { measureBareDeliveryLoop } from './bare-delivery-loop.ts'
import {
  delays,
  prepareChanges,
  type RecordedChange,
  recordAllChanges,
  recordChangesAtPace,
  waitUntilDelivered,
} from './record-status-changes.ts'
import type { Endpoints, Misbehaviour, Recorder, Subscriber } from './webhook-endpoints.ts'

/** The inputs shared by all measurements. */
export type WebhookBench = {
  readonly recorder: Recorder
  readonly endpoints: Endpoints
  readonly worker: WorkerProcess
}

export type Pace = { readonly perSecond: number; readonly seconds: number }

export type Throughput = {
  readonly delivered: number
  readonly bare: number
  /** While changes are recorded at full speed on the same machine. */
  readonly recordedAndDelivered: number
}
export type Drained = {
  readonly perSecond: number
  readonly peakMegabytes: number
  readonly newest: { readonly p95: number; readonly max: number }
}

/** The size of the backlog, the changes recorded during delivery, and the duration of the bare loop. */
export type ThroughputPlan = {
  readonly changes: number
  readonly recorded: number
  readonly bareWarmUpSeconds: number
  readonly seconds: number
}

/** The first deliveries open the connections, as in the uncounted beginning of the bare loop. */
const WARM_UP_PART = 0.2

/**
 * Delivers a backlog, with the bare loop immediately before and after; then delivers changes while they are recorded.
 */
export async function throughput(
  bench: WebhookBench,
  subscribers: readonly Subscriber[],
  { changes, recorded, bareWarmUpSeconds, seconds }: ThroughputPlan,
): Promise<Throughput> {
  const { recorder, endpoints, worker } = bench
  const origins = subscribers.map(({ origin }) => origin)
  const measureBare = () => measureBareDeliveryLoop(endpoints, { origins, warmUpSeconds: bareWarmUpSeconds, seconds })
  const waiting = await prepareChanges(recorder, subscribers, changes)
  worker.holdUp()
  const changesMade = await recordAllChanges(recorder, waiting)
  const bareBefore = await measureBare()
  worker.goOn()
  await waitUntilDelivered(endpoints, changesMade.length)
  const arrivals = await endpoints.report()
  const delivered = arrivedPerSecond([...arrivals.values()])
  delays(changesMade, arrivals)
  // The machine's speed varies by the minute, and recording took more than one.
  const bare = (bareBefore + (await measureBare())) / 2
  const next = await prepareChanges(recorder, subscribers, recorded)
  const begunAgain = performance.now()
  const laterChanges = await recordAllChanges(recorder, next)
  await waitUntilDelivered(endpoints, laterChanges.length)
  const recordedAndDelivered = (laterChanges.length * 1000) / (performance.now() - begunAgain)
  delays(laterChanges, await endpoints.report())
  return { delivered, bare, recordedAndDelivered }
}

/** Deliveries per second after the warm-up; times are in milliseconds. */
function arrivedPerSecond(times: readonly number[]): number {
  const counted = times.toSorted((one, other) => one - other).slice(Math.floor(times.length * WARM_UP_PART))
  const [from = Number.NaN, until = Number.NaN] = [counted[0], counted.at(-1)]
  return ((counted.length - 1) * 1000) / (until - from)
}

/** The delivery delay at a steady rate, per subscriber, in milliseconds; that of `bad` is not counted. */
export async function latency(
  bench: WebhookBench,
  subscribers: readonly Subscriber[],
  { perSecond, seconds }: Pace,
  bad?: Subscriber,
): Promise<readonly number[]> {
  const changes = await prepareChanges(bench.recorder, subscribers, perSecond * seconds)
  const recorded = await recordChangesAtPace(bench.recorder, changes, perSecond)
  const changesMade = recorded.filter(({ subscriber }) => subscriber !== bad)
  await waitUntilDelivered(bench.endpoints, changesMade.length)
  return delays(changesMade, await bench.endpoints.report())
}

/** The same with one more subscriber whose endpoint misbehaves from now on: the delay of the healthy ones. */
export async function latencyWithBadEndpoint(
  bench: WebhookBench,
  healthy: readonly Subscriber[],
  pace: Pace,
  { subscriber, manner }: { readonly subscriber: Subscriber; readonly manner: Misbehaviour },
): Promise<readonly number[]> {
  for (const path of subscriber.paths) {
    bench.endpoints.misbehave(path, manner)
  }
  return await latency(bench, [...healthy, subscriber], pace, subscriber)
}

/** A backlog with many deliveries per change is drained while other partners' payments change at a slow rate. */
export async function drainBacklog(
  bench: WebhookBench,
  waiting: readonly Subscriber[],
  others: readonly Subscriber[],
  { deliveries, perSecond }: { readonly deliveries: number; readonly perSecond: number },
): Promise<Drained> {
  const { recorder, endpoints, worker } = bench
  const each = waiting[0]?.paths.length ?? 1
  const changes = await prepareChanges(recorder, waiting, Math.ceil(deliveries / each))
  worker.holdUp()
  const queued = await recordAllChanges(recorder, changes)
  const begun = wallMilliseconds()
  worker.goOn()
  const newest = await recordUntil(bench, others, perSecond, queued.length * each)
  await waitUntilDelivered(endpoints, queued.length * each + newest.length)
  const arrivals = await endpoints.report()
  const queuedDelays = delays(queued, arrivals)
  const lastArrival = queued.map(
    ({ at }, index) => at + Math.max(...queuedDelays.slice(index * each, (index + 1) * each)),
  )
  const newestDelays = delays(newest, arrivals)
  return {
    perSecond: (queued.length * each * 1000) / (lastArrival.reduce((one, other) => Math.max(one, other)) - begun),
    peakMegabytes: await worker.peakMemoryMegabytes(),
    newest: { p95: quantile(newestDelays, 0.95), max: quantile(newestDelays, 1) },
  }
}

/** Records changes each second until this many further deliveries have arrived. */
async function recordUntil(
  { recorder, endpoints }: WebhookBench,
  subscribers: readonly Subscriber[],
  perSecond: number,
  arrived: number,
): Promise<readonly RecordedChange[]> {
  const changesMade: RecordedChange[] = []
  while ((await endpoints.count()) < arrived + changesMade.length - perSecond) {
    const some = Array.from(
      { length: perSecond },
      (_, at) => subscribers[(changesMade.length + at) % subscribers.length],
    )
    const changes = await prepareChanges(
      recorder,
      some.flatMap((one) => one ?? []),
      perSecond,
    )
    changesMade.push(...(await recordChangesAtPace(recorder, changes, perSecond)))
  }
  return changesMade
}
