/** Decides how many deliveries of each queue to claim, so that partners and endpoints share capacity fairly, whatever is in flight. */

import { monotonicMilliseconds } from '../../platform/clock.ts'
import { adjustCount, type KeyedCounts, setMostRecent } from '../../platform/collections.ts'
import type { DeliveryQueue, QueueClaim } from '../store/delivery-claim-store.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch/connection-pools.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

/** The latency class of an origin; unproven until its first answer. */
export type OriginPace = 'prompt' | 'unproven' | 'slow'

/** The queue of each delivery that a process has in flight, and the latency class of each origin. */
export type DeliveryLoad = {
  inFlight(): Iterable<DeliveryQueue>
  paceOf(origin: string): OriginPace
}

/**
 * Deliveries in flight to the origins of each latency class: origins that do not answer take nothing from those that do.
 * More only open more connections, whose handshakes cost more than they gain.
 */
export const IN_FLIGHT_PER_PACE_MAX = 256

/** Beyond that limit every partner may have a few, whatever others have, until twice the limit is in flight. */
const RESERVED_PER_PARTNER = 4

/**
 * Slots go one by one to the partner with the fewest deliveries in flight, and of its queues in turn, beginning with the
 * one that has the fewest; in total at most `limit`.
 */
export function scheduleFairly(
  queues: readonly DeliveryQueue[],
  load: DeliveryLoad,
  limit: number,
): readonly QueueClaim[] {
  const counts = countInFlight(load)
  const claims = new Map<DeliveryQueue, number>()
  let waiting = [...Map.groupBy(queues, partnerOf)].map(([partner, own]) => ({
    partner,
    own: own.toSorted((one, other) => counts.of(queueOf(one)) - counts.of(queueOf(other))),
  }))
  let left = limit
  for (let level = 0; left > 0 && waiting.length > 0; level += 1) {
    for (const { own } of waiting.filter(({ partner }) => counts.of(partner) <= level)) {
      const queue = own.shift()
      if (queue !== undefined && left > 0 && hasCapacity(queue, load, counts)) {
        counts.add(queue)
        claims.set(queue, (claims.get(queue) ?? 0) + 1)
        own.push(queue)
        left -= 1
      }
    }
    waiting = waiting.filter(({ own }) => own.length > 0)
  }
  return [...claims].map(([queue, take]) => ({ ...queue, take }))
}

type InFlightCounts = { of(key: string): number; add(queue: DeliveryQueue): void }

function countInFlight(load: DeliveryLoad): InFlightCounts {
  const counts: KeyedCounts = new Map()
  const add = (queue: DeliveryQueue) => {
    for (const key of [queueOf(queue), partnerOf(queue), originOf(queue), load.paceOf(queue.origin)]) {
      adjustCount(counts, key, 1)
    }
  }
  for (const queue of load.inFlight()) {
    add(queue)
  }
  return { of: (key) => counts.get(key) ?? 0, add }
}

function hasCapacity(queue: DeliveryQueue, load: DeliveryLoad, counts: InFlightCounts): boolean {
  const ofPace = counts.of(load.paceOf(queue.origin))
  const isReserved = counts.of(partnerOf(queue)) < RESERVED_PER_PARTNER && ofPace < 2 * IN_FLIGHT_PER_PACE_MAX
  return counts.of(originOf(queue)) < CONNECTIONS_PER_ORIGIN_MAX && (ofPace < IN_FLIGHT_PER_PACE_MAX || isReserved)
}

const queueOf = ({ partnerId, origin }: DeliveryQueue) => `queue ${partnerId} ${origin}`
const partnerOf = ({ partnerId }: DeliveryQueue) => `partner ${partnerId}`
const originOf = ({ origin }: DeliveryQueue) => `origin ${origin}`

type TrackedLoad = DeliveryLoad & {
  /** Returns the function to call with the outcome; without one when there was no attempt. */
  begin(queue: DeliveryQueue): (attempt: Attempt | undefined) => void
}

/** A slower origin blocks its connections. */
const SLOW_MILLISECONDS = 1_000
/** The least recently used origin is evicted first. */
const REMEMBERED_MAX = 10_000

export function trackDeliveryLoad(now: () => number = monotonicMilliseconds): TrackedLoad {
  const inFlight = new Set<DeliveryQueue & { readonly begunAt: number }>()
  const paceByOrigin = new Map<string, OriginPace>()
  const remember = (origin: string, pace: OriginPace) => setMostRecent(paceByOrigin, [origin, pace], REMEMBERED_MAX)
  return {
    paceOf: (origin) => paceByOrigin.get(origin) ?? 'unproven',
    inFlight: () => {
      // An origin that stops answering is slow before its attempts have timed out.
      for (const { origin, begunAt } of inFlight) {
        if (begunAt > now() - SLOW_MILLISECONDS) {
          break
        }
        if (paceByOrigin.get(origin) === 'prompt') {
          paceByOrigin.set(origin, 'slow')
        }
      }
      return inFlight
    },
    begin: ({ partnerId, origin }) => {
      const delivery = { partnerId, origin, begunAt: now() }
      inFlight.add(delivery)
      return (attempt) => {
        inFlight.delete(delivery)
        // Neither an internal error nor a disabled partner says anything about the origin.
        if (attempt !== undefined && attempt.kind !== 'disabled') {
          const isPrompt = attempt.kind !== 'unanswered' && attempt.milliseconds <= SLOW_MILLISECONDS
          remember(origin, isPrompt ? 'prompt' : 'slow')
        }
      }
    },
  }
}
