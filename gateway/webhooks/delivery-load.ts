/** Counts what a process has claimed, lane by lane, and remembers how origins have answered of late. */
import { type Counts, count } from '../foundation/counts.ts'
import type { ClaimedDelivery } from './delivery.ts'
import type { Lane } from './delivery-work-store.ts'
import type { Attempt } from './dispatch.ts'
import type { Load, Pace } from './fair-shares.ts'

/** A load that is counted as it comes and goes. */
export type CountedLoad = Load & {
  take(delivery: ClaimedDelivery): void
  /** Without an attempt when none was made. */
  leave(delivery: ClaimedDelivery, attempt?: Attempt): void
}

/** An endpoint that takes longer holds its connections up. */
const SLOW_MILLISECONDS = 1_000
/** Only those that are not quick are remembered; whichever was remembered first is forgotten first. */
const REMEMBERED_MAX = 10_000

export function countLoad(): CountedLoad {
  const claimedByLane: Counts = new Map()
  const paceByOrigin = new Map<string, Pace>()
  const claimedIn = (lane: Lane) => claimedByLane.get(nameOf(lane)) ?? 0
  return {
    claimedIn,
    paceOf: (origin) => paceByOrigin.get(origin) ?? 'quick',
    take: (delivery) => count(claimedByLane, nameOf(delivery), 1),
    leave: (delivery, attempt) => {
      count(claimedByLane, nameOf(delivery), -1)
      if (attempt !== undefined) {
        remember(paceByOrigin, delivery.origin, paceOf(attempt))
      }
    },
  }
}

function nameOf({ partnerId, origin }: Lane): string {
  return `${partnerId} ${origin}`
}

function remember(paces: Map<string, Pace>, origin: string, pace: Pace): void {
  paces.delete(origin)
  if (pace !== 'quick') {
    paces.set(origin, pace)
  }
  const [oldest] = paces.keys()
  if (paces.size > REMEMBERED_MAX && oldest !== undefined) {
    paces.delete(oldest)
  }
}

function paceOf(attempt: Attempt): Pace {
  if (attempt.kind === 'unanswered') {
    return 'failing'
  }
  return attempt.milliseconds > SLOW_MILLISECONDS ? 'slow' : 'quick'
}
