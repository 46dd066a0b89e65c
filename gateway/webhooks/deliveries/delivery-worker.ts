/** Claims ready deliveries and delivers them concurrently, those about one payment in order. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { monotonicMilliseconds } from '../../platform/clock.ts'
import { retryPersist } from '../../platform/database/retry-persist.ts'
import { createInFlightCounter, type InFlightCounter } from '../../platform/in-flight-counter.ts'
import type { WebhookContext } from '../webhook-context.ts'
import { type ConcurrencyLimiter, openConcurrencyLimiter } from './concurrency-limiter.ts'
import { recordAttempts } from './delivery-attempt-store.ts'
import { type CompletedAttempt, type DeliveryAttempts, openDeliveryAttempts } from './delivery-attempts.ts'
import { type TrackedLoad, trackDeliveryLoad } from './delivery-load.ts'
import { type DeliveryQueue, queueKey, type ReadyDelivery } from './delivery-queue-store.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch/connection-pools.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'
import { scheduleFairly } from './fair-scheduling.ts'
import { openQueueLeases, type QueueLeases } from './queue-leases.ts'
import { openRoundRobinQueueScan } from './round-robin-queue-scan.ts'

/** The deliveries of this process. */
export type DeliveryWorker = {
  /**
   * Claims up to `limit` deliveries and starts them; each promise resolves when its outcome is recorded, or when it was
   * put back.
   */
  begin(limit: number): Promise<readonly Promise<unknown>[]>
  /** How many are in flight. */
  count(): number
  /** Resolves when none is in flight. */
  ended(): Promise<void>
  /**
   * Starts no more attempts: waiting deliveries are put back, and leases of queues without deliveries in flight are
   * released.
   */
  stop(): Promise<void>
  /** Releases the leases of all queues that this worker does not use. */
  releaseIdleQueues(): Promise<void>
}

/**
 * More attempts in flight only open more connections, whose handshakes cost more than they gain. Every origin has a
 * guaranteed minimum, so that slow origins leave enough for the fast ones.
 */
export const CONCURRENT_ATTEMPTS_MAX = 192
const CONCURRENT_ATTEMPTS_PER_ORIGIN_MIN = 4

/**
 * With this many in flight, known queues with more deliveries are read without a scan of all; new queues are found a
 * little later.
 */
const BUSY_IN_FLIGHT = 128
const FULL_SCAN_INTERVAL_WHEN_BUSY_MILLISECONDS = 100

/** Several times within a lease. */
const LEASE_RENEWAL_INTERVAL_MILLISECONDS = 1_000
/**
 * An outcome that cannot be recorded may still mean a delivery: until the lease ends no newer event overtakes it, and
 * no worker repeats it.
 */
const RECORD_FAILURE_PAUSE_MILLISECONDS = 30_000

type WorkerState = {
  readonly context: WebhookContext
  readonly attempts: DeliveryAttempts
  readonly load: TrackedLoad
  readonly limiter: ConcurrencyLimiter
  readonly queues: QueueLeases
  readonly stopping: AbortController
  readonly underWay: InFlightCounter
  readonly leaseRenewal: { timer: NodeJS.Timeout | undefined }
  /** The newest in-flight delivery of each subscription and subject; the next one waits for it. */
  readonly newest: Map<string, { readonly delivery: ReadyDelivery; readonly ended: Promise<DeliveryEnding> }>
}

/** A delivery that is put back stays before its successors, which are put back, too. */
type DeliveryEnding = 'made' | 'left'

export function openDeliveryWorker(context: WebhookContext): DeliveryWorker {
  const { database } = context
  const scan = openRoundRobinQueueScan(database)
  const queues = openQueueLeases(database)
  const limiter = openConcurrencyLimiter({
    maxPerKey: CONNECTIONS_PER_ORIGIN_MAX,
    minPerKey: CONCURRENT_ATTEMPTS_PER_ORIGIN_MIN,
    maxTotal: CONCURRENT_ATTEMPTS_MAX,
  })
  const underWay = createInFlightCounter()
  // No request waits for these, and deliveries must not be repeated because the database was unavailable for a moment.
  const attempts = openDeliveryAttempts(context, (...attemptRecords) =>
    retryPersist(context.log, () => recordAttempts(...attemptRecords)),
  )
  const stopping = new AbortController()
  const [leaseRenewal, newest] = [{ timer: undefined }, new Map()]
  const work: WorkerState = {
    context,
    attempts,
    load: trackDeliveryLoad(),
    limiter,
    queues,
    stopping,
    underWay,
    leaseRenewal,
    newest,
  }
  let lastScanAt = Number.NEGATIVE_INFINITY
  const lanesWithWork = async (): Promise<readonly DeliveryQueue[]> => {
    const now = monotonicMilliseconds()
    const mayWait = underWay.count() >= BUSY_IN_FLIGHT && now - lastScanAt < FULL_SCAN_INTERVAL_WHEN_BUSY_MILLISECONDS
    const knownQueues = mayWait ? queues.queuesWithMore() : []
    if (knownQueues.length > 0) {
      return knownQueues
    }
    lastScanAt = now
    return (await scan.nextBatch()).filter(queues.mayAcquire)
  }
  return {
    begin: async (limit) => {
      const found = await lanesWithWork()
      const shares = scheduleFairly(found, work.load, limit)
      const begun = (await queues.claimFrom(shares)).map((delivery) => begin(work, delivery))
      await releaseLeases(work, queuesWithoutShare(found, shares))
      return begun
    },
    stop: async () => {
      limiter.close()
      stopping.abort()
      // Everything that waited for a slot has been put back by then.
      await setImmediate()
      await releaseLeases(work)
    },
    count: underWay.count,
    ended: underWay.none,
    releaseIdleQueues: () => releaseLeases(work),
  }
}

async function releaseLeases({ context, queues }: WorkerState, idle?: readonly DeliveryQueue[]): Promise<void> {
  await queues
    .releaseIdleLeases(idle)
    .catch((error) => context.log.error({ error }, 'webhook queue leases could not be released'))
}

/** Queues with work for which this worker has no capacity: another worker may have some. */
function queuesWithoutShare(
  found: readonly DeliveryQueue[],
  shares: readonly DeliveryQueue[],
): readonly DeliveryQueue[] {
  const shared = new Set(shares.map(queueKey))
  return found.filter((queue) => !shared.has(queueKey(queue)))
}

/** Deliveries about one subject of one subscription are sequential. */
function begin(work: WorkerState, delivery: ReadyDelivery): Promise<DeliveryEnding> {
  const line = `${delivery.subscriptionId} ${delivery.subjectId ?? delivery.id}`
  const ended = deliver(work, delivery, line)
  work.newest.set(line, { delivery, ended })
  return ended
}

/**
 * Never rejects: an outcome that cannot be recorded is attempted again. One function for the entire delivery, because
 * hundreds are in flight: each further promise would hold memory for as long as endpoints take.
 */
async function deliver(work: WorkerState, delivery: ReadyDelivery, line: string): Promise<DeliveryEnding> {
  const { attempts, context, queues, load, newest, stopping, limiter } = work
  const before = newest.get(line)?.ended
  load.take(delivery)
  startLeaseRenewal(work)
  let attempt: Attempt | undefined
  try {
    const releaseSlot = (await before) === 'left' ? undefined : await limiter.take(delivery.origin)
    let made: CompletedAttempt | undefined
    try {
      // Another worker may have made the attempt by now.
      made = releaseSlot !== undefined && queues.isStillOwned(delivery) ? await attempts.post(delivery) : undefined
    } finally {
      releaseSlot?.()
    }
    if (made !== undefined) {
      await attempts.record(delivery, made)
      attempt = made.attempt
    }
  } catch (error) {
    context.log.error({ delivery: delivery.id, error }, 'the outcome of a delivery could not be recorded')
    await setTimeout(RECORD_FAILURE_PAUSE_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  const ending = attempt === undefined ? 'left' : 'made'
  load.leave(delivery, attempt)
  queues.releaseDelivery(delivery, ending)
  stopLeaseRenewal(work)
  if (newest.get(line)?.delivery === delivery) {
    newest.delete(line)
  }
  if (stopping.signal.aborted) {
    // Another delivery may continue for seconds; this queue need not wait for it.
    await releaseLeases(work, [delivery])
  }
  return ending
}

/** The first delivery in flight starts the renewal of all queue leases; the last one ends it. */
function startLeaseRenewal({ context, queues, underWay, leaseRenewal }: WorkerState): void {
  underWay.begin()
  leaseRenewal.timer ??= setInterval(() => {
    queues.renew().catch((error) => context.log.error({ error }, 'webhook queue leases could not be renewed'))
  }, LEASE_RENEWAL_INTERVAL_MILLISECONDS)
}

function stopLeaseRenewal({ underWay, leaseRenewal }: WorkerState): void {
  underWay.end()
  if (underWay.count() === 0) {
    clearInterval(leaseRenewal.timer)
    leaseRenewal.timer = undefined
  }
}
