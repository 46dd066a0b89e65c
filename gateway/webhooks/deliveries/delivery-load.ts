/** Counts the claimed deliveries of a process per queue, and tracks the recent latency of origins. */

import type { ReadyDelivery } from './delivery-queue-store.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'
import type { ClaimedLoad, ClaimedQueue, EndpointPace } from './fair-scheduling.ts'

/** The current load. */
export type TrackedLoad = ClaimedLoad & {
  take(delivery: CountedDelivery): void
  /** Without an attempt when none was made. */
  leave(delivery: CountedDelivery, attempt?: Attempt): void
}

/** A slower endpoint blocks its connections. */
const SLOW_MILLISECONDS = 1_000
/** Several in a row, because an endpoint that answers every other request slowly must not count as fast. */
const QUICK_IN_A_ROW = 3
/** The least recently used origin is evicted first. */
const REMEMBERED_MAX = 10_000

type CountedDelivery = Pick<ReadyDelivery, 'partnerId' | 'origin' | 'queue'>

type Counted = Pick<ClaimedQueue, 'partnerId' | 'origin'> & { claimed: number }
type Answers = { readonly pace: EndpointPace; readonly quickInRow: number }
const NO_HISTORY: Answers = { pace: 'unproved', quickInRow: 0 }

export function trackDeliveryLoad(): TrackedLoad {
  const claimedByLane = new Map<string, Counted>()
  const answersByOrigin = new Map<string, Answers>()
  const change = ({ partnerId, origin, queue }: CountedDelivery, by: 1 | -1) => {
    const counted = claimedByLane.get(queue) ?? { partnerId, origin, claimed: 0 }
    counted.claimed += by
    if (counted.claimed === 0) {
      claimedByLane.delete(queue)
    } else if (counted.claimed === by) {
      claimedByLane.set(queue, counted)
    }
  }
  return {
    claimed: () => claimedByLane.values(),
    paceOf: (origin) => (answersByOrigin.get(origin) ?? NO_HISTORY).pace,
    take: (delivery) => change(delivery, 1),
    leave: (delivery, attempt) => {
      change(delivery, -1)
      // An internal error says nothing about the endpoint.
      if (attempt !== undefined && attempt.kind !== 'fault') {
        remember(answersByOrigin, delivery.origin, attempt)
      }
    },
  }
}

function remember(answersByOrigin: Map<string, Answers>, origin: string, attempt: Attempt): void {
  const before = answersByOrigin.get(origin) ?? NO_HISTORY
  answersByOrigin.delete(origin)
  answersByOrigin.set(origin, answersAfter(before, attempt))
  const [oldest] = answersByOrigin.size > REMEMBERED_MAX ? answersByOrigin.keys() : []
  answersByOrigin.delete(oldest ?? '')
}

function answersAfter({ pace, quickInRow }: Answers, attempt: Attempt): Answers {
  if (attempt.kind === 'unanswered') {
    return { pace: 'failing', quickInRow: 0 }
  }
  if (attempt.milliseconds > SLOW_MILLISECONDS) {
    return { pace: 'slow', quickInRow: 0 }
  }
  return quickInRow + 1 < QUICK_IN_A_ROW
    ? { pace, quickInRow: quickInRow + 1 }
    : { pace: 'quick', quickInRow: QUICK_IN_A_ROW }
}
