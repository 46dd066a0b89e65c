/** Decides how many deliveries of each lane to claim, so that no endpoint and no partner takes the places of others. */
import type { Lane, LaneShare } from './delivery-work-store.ts'

/** How an origin has answered of late. */
export type Pace = 'quick' | 'slow' | 'failing'

/** What a process has claimed and not yet kept. All of it is in the lanes that have something ready. */
export type Load = {
  claimedIn(lane: Lane): number
  paceOf(origin: string): Pace
}

/** Claimed deliveries are held in memory with their bodies, so this bounds it. */
const CLAIMED_MAX = 512
const CLAIMED_PER_PARTNER_MAX = 256

/**
 * What is claimed of an origin. A quick one has some waiting behind its connections, lest these idle while the next are
 * claimed; a slow one has as many as connections; one that fails is only tried, until it answers again.
 */
const CLAIMED_PER_ORIGIN_MAX: Readonly<Record<Pace, number>> = { quick: 64, slow: 32, failing: 4 }

/** Origins that are not quick have no more than this part of the places in all, and of their partner's. */
const PART_HELD_UP = 0.5

/** Fewer than this part of an origin's places are not claimed: one statement for each would cost more than it delivers. */
const WORTHWHILE = 0.25

/** However many lanes there are, each look takes at least this many of one: more than come between two looks. */
const EACH_LEAST = 8

/** The lanes with fewest claimed come first; together not more than `limit`. */
export function fairShares(lanes: readonly Lane[], load: Load, limit: number): readonly LaneShare[] {
  const counted = new Map<string, number>()
  const count = (lane: Lane, by: number) => {
    for (const { what } of boundsOf(lane, load)) {
      counted.set(what, (counted.get(what) ?? 0) + by)
    }
  }
  for (const lane of lanes) {
    count(lane, load.claimedIn(lane))
  }
  const shares: LaneShare[] = []
  const eachMax = Math.max(EACH_LEAST, Math.floor(CLAIMED_MAX / Math.max(lanes.length, 1)))
  let left = limit
  for (const lane of lanes.toSorted((one, other) => load.claimedIn(one) - load.claimedIn(other))) {
    const most = CLAIMED_PER_ORIGIN_MAX[load.paceOf(lane.origin)]
    const atOrigin = most - (counted.get(originOf(lane)) ?? 0)
    const rooms = boundsOf(lane, load).map((bound) => bound.most - (counted.get(bound.what) ?? 0))
    const take = Math.min(eachMax, left, ...rooms)
    if (take > 0 && atOrigin >= most * WORTHWHILE) {
      shares.push({ ...lane, take })
      count(lane, take)
      left -= take
    }
  }
  return shares
}

type Bound = { readonly what: string; readonly most: number }

/** What a delivery of a lane counts for, and how many each of it takes. */
function boundsOf(lane: Lane, load: Load): readonly Bound[] {
  const pace = load.paceOf(lane.origin)
  const bounds = [
    { what: 'all', most: CLAIMED_MAX },
    { what: `partner ${lane.partnerId}`, most: CLAIMED_PER_PARTNER_MAX },
    { what: originOf(lane), most: CLAIMED_PER_ORIGIN_MAX[pace] },
  ]
  const heldUp = [
    { what: 'held up', most: CLAIMED_MAX * PART_HELD_UP },
    { what: `held up of ${lane.partnerId}`, most: CLAIMED_PER_PARTNER_MAX * PART_HELD_UP },
  ]
  return pace === 'quick' ? bounds : [...bounds, ...heldUp]
}

function originOf({ origin }: Lane): string {
  return `origin ${origin}`
}
