/** Leases queues to one worker, which can then claim deliveries without a statement and keep their order in memory. */
import { monotonicMilliseconds } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type DeliveryQueue, queueKey, type ReadyDelivery, readReadyDeliveries } from './delivery-queue-store.ts'
import type { QueueShare } from './fair-scheduling.ts'
import { acquireQueueLeases, QUEUE_LEASE_SECONDS, releaseQueueLeases, renewQueueLeases } from './queue-lease-store.ts'

/** The queue leases of one worker. */
export type QueueLeases = {
  /** Whether to try to acquire a lease: after a failed attempt the queue is skipped for a while. */
  mayAcquire(queue: DeliveryQueue): boolean
  /**
   * The oldest waiting deliveries of queues whose lease this worker has or gets; each is in flight until it is put back
   * or done.
   */
  claimFrom(shares: readonly QueueShare[]): Promise<readonly ReadyDelivery[]>
  /** Queues of which the last read returned as many as requested: they may have more. */
  queuesWithMore(): readonly DeliveryQueue[]
  /** Whether no other worker can have attempted it since it was claimed, or attempts it now. */
  isStillOwned(delivery: ReadyDelivery): boolean
  /** Puts a delivery back; deliveries that were not attempted come first again. */
  releaseDelivery(delivery: ReadyDelivery, ending: 'made' | 'left'): void
  /** Renews the leases of queues with deliveries in flight. */
  renew(): Promise<void>
  /** Releases the leases of these queues, or of all, that have no deliveries in flight. */
  releaseIdleLeases(queues?: readonly DeliveryQueue[]): Promise<void>
}

const LEASE_MILLISECONDS = QUEUE_LEASE_SECONDS * 1_000
/** Leases with less time left are renewed before anything is claimed under them. */
const LEASE_REMAINING_MIN_MILLISECONDS = LEASE_MILLISECONDS / 2
const ACQUIRE_RETRY_MILLISECONDS = 1_000
/**
 * Deliveries that are queued during a lease come after those that were read, because events of a partner are queued one
 * transaction after the other. Retries and deliveries that were put back do not, and are found by reading from the
 * beginning.
 */
const FULL_READ_INTERVAL_MILLISECONDS = 250

type LeasedQueue = DeliveryQueue & {
  /** By the monotonic clock; the database counts from a moment later. */
  until: number
  /** Counts how often the lease was lost, and possibly held by another worker, before it was acquired again. */
  losses: number
  /** Claimed deliveries with the loss count at that time, by their position. */
  readonly inHand: Map<bigint, number>
  /** All older deliveries are or were in flight; the others are found by the next full read. */
  readTo: bigint
  /** The newest position that was ever read. */
  seenTo: bigint
  readAllAt: number
  hasMore: boolean
}

const FROM_START = { readTo: 0n, seenTo: 0n, readAllAt: Number.NEGATIVE_INFINITY, hasMore: false }

/** A worker's knowledge of queues: the leases that it holds, and until when it skips queues leased to others. */
type LeaseTable = {
  readonly database: Database<unknown>
  readonly worker: string
  readonly held: Map<string, LeasedQueue>
  readonly leasedElsewhereUntil: Map<string, number>
}

export function openQueueLeases(database: Database<unknown>): QueueLeases {
  const table: LeaseTable = { database, worker: newId(), held: new Map(), leasedElsewhereUntil: new Map() }
  const { held, leasedElsewhereUntil } = table
  // Deliveries that are being read are not in flight yet: no other read or release may run meanwhile.
  const runSerially = openSerialExecutor()
  const isHeld = (queue: string) => (held.get(queue)?.until ?? 0) > monotonicMilliseconds()
  return {
    isStillOwned: (delivery) => {
      const queue = held.get(delivery.queue)
      return isHeld(delivery.queue) && queue?.inHand.get(delivery.sequence) === queue?.losses
    },
    queuesWithMore: () => {
      const now = monotonicMilliseconds()
      return [...held.values()]
        .filter(({ hasMore, until }) => hasMore && until > now)
        .map(({ partnerId, origin }) => ({ partnerId, origin }))
    },
    mayAcquire: (queue) => (leasedElsewhereUntil.get(queueKey(queue)) ?? 0) < monotonicMilliseconds(),
    claimFrom: (shares) =>
      runSerially(async () => {
        const enough = monotonicMilliseconds() + LEASE_REMAINING_MIN_MILLISECONDS
        const ending = shares.filter((queue) => (held.get(queueKey(queue))?.until ?? 0) < enough)
        await acquireLeases(table, ending)
        const mine = shares.filter((queue) => isHeld(queueKey(queue)))
        return await read(database, held, mine)
      }),
    releaseDelivery: (delivery, ending) => {
      const queue = held.get(delivery.queue)
      queue?.inHand.delete(delivery.sequence)
      if (queue !== undefined && ending === 'left') {
        Object.assign(queue, FROM_START)
      }
    },
    renew: () => renew(table),
    releaseIdleLeases: (queues = [...held.values()]) => runSerially(() => releaseIdleLeases(table, queues)),
  }
}

/** Acquires the leases of these queues; another worker has those that are missing. */
async function acquireLeases(table: LeaseTable, queues: readonly DeliveryQueue[]): Promise<void> {
  if (queues.length === 0) {
    return
  }
  const { database, worker, held, leasedElsewhereUntil } = table
  const asked = monotonicMilliseconds()
  removeExpiredLeases(table, asked)
  const got = await acquireQueueLeases(database, worker, queues)
  for (const queue of queues) {
    leasedElsewhereUntil.set(queueKey(queue), asked + ACQUIRE_RETRY_MILLISECONDS)
  }
  for (const queue of got) {
    leasedElsewhereUntil.delete(queueKey(queue))
    storeLease(held, queue, asked)
  }
}

function storeLease(held: Map<string, LeasedQueue>, queue: DeliveryQueue, asked: number): void {
  const known = held.get(queueKey(queue))
  const until = asked + LEASE_MILLISECONDS
  if (known === undefined) {
    held.set(queueKey(queue), { ...queue, ...FROM_START, losses: 0, inHand: new Map(), until })
  } else {
    // Another worker may have held it meanwhile.
    const isExpired = known.until < asked
    Object.assign(known, isExpired ? { ...FROM_START, losses: known.losses + 1 } : {}, { until })
  }
}

async function renew({ database, worker, held }: LeaseTable): Promise<void> {
  const asked = monotonicMilliseconds()
  const queues = [...held.values()].filter(({ inHand }) => inHand.size > 0)
  if (queues.length === 0) {
    return
  }
  const goOn = new Set((await renewQueueLeases(database, worker, queues)).map(queueKey))
  for (const queue of queues) {
    queue.until = goOn.has(queueKey(queue)) ? Math.max(queue.until, asked + LEASE_MILLISECONDS) : 0
  }
}

function removeExpiredLeases({ held, leasedElsewhereUntil }: LeaseTable, now: number): void {
  for (const [name, { until, inHand }] of held) {
    if (until < now && inHand.size === 0) {
      held.delete(name)
    }
  }
  for (const [name, until] of leasedElsewhereUntil) {
    if (until < now) {
      leasedElsewhereUntil.delete(name)
    }
  }
}

async function releaseIdleLeases(
  { database, worker, held }: LeaseTable,
  queues: readonly DeliveryQueue[],
): Promise<void> {
  const idle = queues.filter((queue) => held.get(queueKey(queue))?.inHand.size === 0)
  for (const queue of idle) {
    held.delete(queueKey(queue))
  }
  if (idle.length > 0) {
    await releaseQueueLeases(database, worker, idle)
  }
}

/** Executes tasks one after the other, whether or not the previous one failed. */
function openSerialExecutor(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (run) => {
    const next = last.then(run, run)
    last = next.catch(() => undefined)
    return await next
  }
}

async function read(
  database: Database<unknown>,
  held: ReadonlyMap<string, LeasedQueue>,
  shares: readonly QueueShare[],
): Promise<readonly ReadyDelivery[]> {
  const now = monotonicMilliseconds()
  const places = shares.flatMap(({ take, ...queue }) => {
    const known = held.get(queueKey(queue))
    return known === undefined ? [] : [{ known, take, behind: readCursorFor(known, now) }]
  })
  const inHand = places.flatMap(({ known, behind }) => [...known.inHand.keys()].filter((sequence) => sequence > behind))
  const asked = places.map(({ known, ...place }) => ({ ...place, partnerId: known.partnerId, origin: known.origin }))
  const found = asked.length === 0 ? [] : await readReadyDeliveries(database, asked, inHand)
  const byLane = Map.groupBy(found, ({ queue }) => queue)
  for (const { known, take } of places) {
    recordClaimed(known, byLane.get(queueKey(known)) ?? [], take)
  }
  return found
}

/** The position to read from; the very beginning when the last full read was long ago. */
function readCursorFor(queue: LeasedQueue, now: number): bigint {
  if (now - queue.readAllAt < FULL_READ_INTERVAL_MILLISECONDS) {
    return queue.readTo
  }
  queue.readAllAt = now
  return 0n
}

function recordClaimed(queue: LeasedQueue, found: readonly ReadyDelivery[], take: number): void {
  for (const { sequence } of found) {
    queue.inHand.set(sequence, queue.losses)
  }
  const last = found.at(-1)
  if (last !== undefined && last.sequence > queue.seenTo) {
    queue.seenTo = last.sequence
  }
  queue.hasMore = found.length === take
  queue.readTo = last !== undefined && queue.hasMore ? last.sequence : queue.seenTo
}
