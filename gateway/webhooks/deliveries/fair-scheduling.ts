/** Decides how many deliveries of each queue to claim, so that endpoints and partners share capacity fairly. */
import { type DeliveryQueue, queueKey } from './delivery-queue-store.ts'

/** How many deliveries of a queue to claim. */
export type QueueShare = DeliveryQueue & { readonly take: number }

/** The recent latency class of an origin; unproven until it has answered quickly several times in a row. */
export type EndpointPace = 'quick' | 'unproved' | 'slow' | 'failing'

/** A queue with claimed deliveries whose outcome is not recorded yet. */
export type ClaimedQueue = DeliveryQueue & { readonly claimed: number }

/** What a process has claimed, whether or not its queues have further ready deliveries. */
export type ClaimedLoad = {
  claimed(): Iterable<ClaimedQueue>
  paceOf(origin: string): EndpointPace
}

/**
 * Claimed deliveries are held in memory with their bodies, a few megabytes of them. With fewer, a machine that delivers
 * some thousands a second would run out before the next claim.
 */
const CLAIMED_MAX = 1_024
const CLAIMED_PER_PARTNER_MAX = 512

/**
 * Every partner may have this many whatever others have, as long as the total exceeds all limits by no more than this;
 * only one each when few of these are left. Origins that are not fast have fewer: however many partners have endpoints
 * that do not answer, those whose endpoints do have capacity, and so have unproven ones.
 */
const RESERVED_PER_PARTNER = 4
const RESERVED_MAX = 512
const RESERVED_THROTTLED_MAX = { unproved: 384, slow: 256, failing: 256 } as const
const FEW_RESERVED = 128

/**
 * Claimed deliveries per origin. A fast one has some waiting behind its connections, so that these are not idle until
 * the next claim; a slow one has as many as connections; a failing one is only probed until it answers again.
 */
const CLAIMED_PER_ORIGIN_MAX: Readonly<Record<EndpointPace, number>> = { quick: 64, unproved: 8, slow: 32, failing: 4 }

/** Origins that are not fast get at most this share of the total capacity, and of their partner's. */
const THROTTLED_SHARE = 0.25
const THROTTLED_MAX = CLAIMED_MAX * THROTTLED_SHARE

/**
 * Smaller parts of the capacity of an origin, of a partner or in total are not claimed, to avoid one statement per slot
 * that becomes free. Slots of stalled origins become free too seldom to wait for.
 */
const FREE_SHARE_MIN = 0.25

/** However many queues there are, each claim takes at least this many of one: more than arrive between two claims. */
const CLAIMED_PER_QUEUE_MIN = 8

/**
 * Partners with the fewest claimed deliveries come first, and of each the queues with the fewest; in total at most
 * `limit`.
 */
export function scheduleFairly(
  queues: readonly DeliveryQueue[],
  load: ClaimedLoad,
  limit: number,
): readonly QueueShare[] {
  const [before, counts] = [countsOf(load), countsOf(load)]
  const eachMax = Math.max(CLAIMED_PER_QUEUE_MIN, Math.floor(Math.min(limit, CLAIMED_MAX) / Math.max(queues.length, 1)))
  const shares: QueueShare[] = []
  let left = limit
  for (const queue of inFairOrder(queues, counts, eachMax)) {
    const most = Math.min(left, eachMax)
    const room = hasEnoughCapacity(queue, before) ? capacityFor(queue, load, counts) : 0
    const take = Math.min(most, Math.max(room, reservedFor(queue, load, counts)))
    if (take > 0) {
      shares.push({ ...queue, take })
      counts.add(queue, take)
      left -= take
    }
  }
  return shares
}

type CountsByBound = { of(bound: string): number; add(queue: DeliveryQueue, by: number): void }

function countsOf(load: ClaimedLoad): CountsByBound {
  const counted = new Map<string, number>()
  const add = (queue: DeliveryQueue, by: number) => {
    for (const { what } of [{ what: ALL }, { what: queueBound(queue) }, ...boundsOf(queue, load)]) {
      counted.set(what, (counted.get(what) ?? 0) + by)
    }
  }
  for (const { claimed, ...queue } of load.claimed()) {
    add(queue, claimed)
  }
  return { of: (bound) => counted.get(bound) ?? 0, add }
}

/** A partner's second queue comes when other partners have had as much as its first, and so on. */
function inFairOrder(
  queues: readonly DeliveryQueue[],
  counts: CountsByBound,
  eachMax: number,
): readonly DeliveryQueue[] {
  const aheadOf = new Map<string, number>()
  return queues
    .map((queue) => ({ queue, claimed: counts.of(queueBound(queue)) }))
    .toSorted((one, other) => one.claimed - other.claimed)
    .map(({ queue }) => {
      const ahead = aheadOf.get(queue.partnerId) ?? counts.of(partnerBound(queue))
      aheadOf.set(queue.partnerId, ahead + eachMax)
      return { queue, ahead }
    })
    .toSorted((one, other) => one.ahead - other.ahead)
    .map(({ queue }) => queue)
}

/** Whether enough capacity is free in total and of the partner's, counted before this round of claims. */
function hasEnoughCapacity(queue: DeliveryQueue, before: CountsByBound): boolean {
  const { partnerId } = queue
  return [
    { most: CLAIMED_MAX + throttledOverflow(before), claimed: before.of(ALL), throttled: before.of(THROTTLED) },
    {
      most: CLAIMED_PER_PARTNER_MAX,
      claimed: before.of(partnerBound(queue)),
      throttled: before.of(throttledBound(partnerId)),
    },
  ].every(({ most, claimed, throttled }) => most - claimed >= (most - throttled) * FREE_SHARE_MIN)
}

function capacityFor(queue: DeliveryQueue, load: ClaimedLoad, counts: CountsByBound): number {
  const most = CLAIMED_PER_ORIGIN_MAX[load.paceOf(queue.origin)]
  const isEnough = most - counts.of(originBound(queue)) >= most * FREE_SHARE_MIN
  const inAll = CLAIMED_MAX + throttledOverflow(counts) - counts.of(ALL)
  const rooms = boundsOf(queue, load).map((bound) => bound.most - counts.of(bound.what))
  return isEnough ? Math.min(inAll, ...rooms) : 0
}

/** A stalled origin beyond its share takes none of the others' capacity. */
function throttledOverflow(counts: CountsByBound): number {
  return Math.max(0, counts.of(THROTTLED) - THROTTLED_MAX)
}

function reservedFor(queue: DeliveryQueue, load: ClaimedLoad, counts: CountsByBound): number {
  const pace = load.paceOf(queue.origin)
  const inAll = CLAIMED_MAX + RESERVED_MAX - counts.of(ALL)
  const throttled = pace === 'quick' ? inAll : THROTTLED_MAX + RESERVED_THROTTLED_MAX[pace] - counts.of(THROTTLED)
  const left = Math.min(inAll, throttled)
  return Math.min((left < FEW_RESERVED ? 1 : RESERVED_PER_PARTNER) - counts.of(partnerBound(queue)), left)
}

type Bound = { readonly what: string; readonly most: number }

/** The weight of one delivery of a queue, and how many each of its limits allows. */
function boundsOf(queue: DeliveryQueue, load: ClaimedLoad): readonly Bound[] {
  const pace = load.paceOf(queue.origin)
  const bounds = [
    { what: partnerBound(queue), most: CLAIMED_PER_PARTNER_MAX },
    { what: originBound(queue), most: CLAIMED_PER_ORIGIN_MAX[pace] },
  ]
  const throttled = [
    { what: THROTTLED, most: THROTTLED_MAX },
    { what: throttledBound(queue.partnerId), most: CLAIMED_PER_PARTNER_MAX * THROTTLED_SHARE },
  ]
  return pace === 'quick' ? bounds : [...bounds, ...throttled]
}

const ALL = 'all'
const THROTTLED = 'held up'

function queueBound(queue: DeliveryQueue): string {
  return `lane ${queueKey(queue)}`
}

function partnerBound({ partnerId }: DeliveryQueue): string {
  return `partner ${partnerId}`
}

function originBound({ origin }: DeliveryQueue): string {
  return `origin ${origin}`
}

function throttledBound(partnerId: string): string {
  return `held up of ${partnerId}`
}
