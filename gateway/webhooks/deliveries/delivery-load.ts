/** Counts what a process has claimed, lane by lane, and remembers how origins have answered of late. */

import type { ClaimedLane, Load, Pace } from '../fair-shares.ts'
import type { WaitingDelivery } from './delivery-queue-store.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

/** A load that is counted as it comes and goes. */
export type CountedLoad = Load & {
  take(delivery: LoadedDelivery): void
  /** Without an attempt when none was made. */
  leave(delivery: LoadedDelivery, attempt?: Attempt): void
}

/** An endpoint that takes longer holds its connections up. */
const SLOW_MILLISECONDS = 1_000
/** One quick answer may be luck: whoever lets every other one hang must not pass for quick. */
const QUICK_IN_A_ROW = 3
/** Whichever was heard of least lately is forgotten first. */
const REMEMBERED_MAX = 10_000

type LoadedDelivery = Pick<WaitingDelivery, 'partnerId' | 'origin' | 'lane'>

type Counted = Pick<ClaimedLane, 'partnerId' | 'origin'> & { claimed: number }
type Answers = { readonly pace: Pace; readonly quickInRow: number }
const NOTHING_KNOWN: Answers = { pace: 'unproved', quickInRow: 0 }

export function countLoad(): CountedLoad {
  const claimedByLane = new Map<string, Counted>()
  const answersByOrigin = new Map<string, Answers>()
  const change = ({ partnerId, origin, lane }: LoadedDelivery, by: 1 | -1) => {
    const counted = claimedByLane.get(lane) ?? { partnerId, origin, claimed: 0 }
    counted.claimed += by
    if (counted.claimed === 0) {
      claimedByLane.delete(lane)
    } else if (counted.claimed === by) {
      claimedByLane.set(lane, counted)
    }
  }
  return {
    claimed: () => claimedByLane.values(),
    paceOf: (origin) => (answersByOrigin.get(origin) ?? NOTHING_KNOWN).pace,
    take: (delivery) => change(delivery, 1),
    leave: (delivery, attempt) => {
      change(delivery, -1)
      // A fault of ours says nothing of the endpoint.
      if (attempt !== undefined && attempt.kind !== 'fault') {
        remember(answersByOrigin, delivery.origin, attempt)
      }
    },
  }
}

function remember(answersByOrigin: Map<string, Answers>, origin: string, attempt: Attempt): void {
  const before = answersByOrigin.get(origin) ?? NOTHING_KNOWN
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
