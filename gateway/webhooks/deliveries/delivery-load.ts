/** Tracks the deliveries that a process has in flight, and how fast their origins answer. */
import { monotonicMilliseconds } from '../../platform/clock.ts'
import { setMostRecent } from '../../platform/keyed-counts.ts'
import type { DeliveryQueue } from '../store/delivery-claim-store.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'
import type { DeliveryLoad, OriginPace } from './fair-scheduling.ts'

export type TrackedLoad = DeliveryLoad & {
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
