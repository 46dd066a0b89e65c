/** Decides how many deliveries of each lane to claim, so that no endpoint and no partner takes the places of others. */
import { type Lane, laneName } from './deliveries/delivery-queue-store.ts'

/** How many deliveries of a lane to claim. */
export type LaneShare = Lane & { readonly take: number }

/** How an origin has answered of late; unproved until it has answered quickly several times in a row. */
export type Pace = 'quick' | 'unproved' | 'slow' | 'failing'

/** A lane of which something is claimed and not yet kept. */
export type ClaimedLane = Lane & { readonly claimed: number }

/** What a process has claimed, whether its lanes have more that is ready or not. */
export type Load = {
  claimed(): Iterable<ClaimedLane>
  paceOf(origin: string): Pace
}

/**
 * Claimed deliveries are held in memory with their bodies, a few megabytes of them. Fewer would be gone before the next
 * are claimed on a machine that delivers some thousands in a second.
 */
const CLAIMED_MAX = 1_024
const CLAIMED_PER_PARTNER_MAX = 512

/**
 * Each partner may have so many whatever others have, as long as there are not more than this beyond all bounds; only one
 * when few of these are left. Origins that are not quick have fewer of them: however many partners have endpoints that
 * do not answer, those whose endpoints do have room, and so have those that have still to prove it.
 */
const RESERVED_PER_PARTNER = 4
const RESERVED_MAX = 512
const RESERVED_HELD_UP_MAX = { unproved: 384, slow: 256, failing: 256 } as const
const FEW_RESERVED = 128

/**
 * What is claimed of an origin. A quick one has some waiting behind its connections, lest these idle while the next are
 * claimed; a slow one has as many as connections; one that fails is only tried, until it answers again.
 */
const CLAIMED_PER_ORIGIN_MAX: Readonly<Record<Pace, number>> = { quick: 64, unproved: 8, slow: 32, failing: 4 }

/** Origins that are not quick have no more than this part of the places in all, and of their partner's. */
const PART_HELD_UP = 0.25
const HELD_UP_MAX = CLAIMED_MAX * PART_HELD_UP

/**
 * Fewer than this part of the places of an origin, of a partner or in all are not claimed, lest there be one statement
 * for each that becomes free. Places that are held up become free of themselves too seldom to be waited for.
 */
const WORTHWHILE = 0.25

/** However many lanes there are, each look takes at least this many of one: more than come between two looks. */
const EACH_LEAST = 8

/** The partners with fewest claimed come first, and of each the lanes with fewest; together not more than `limit`. */
export function fairShares(lanes: readonly Lane[], load: Load, limit: number): readonly LaneShare[] {
  const [before, counts] = [countsOf(load), countsOf(load)]
  const eachMax = Math.max(EACH_LEAST, Math.floor(Math.min(limit, CLAIMED_MAX) / Math.max(lanes.length, 1)))
  const shares: LaneShare[] = []
  let left = limit
  for (const lane of inTurn(lanes, counts, eachMax)) {
    const most = Math.min(left, eachMax)
    const room = isWorthwhile(lane, before) ? roomFor(lane, load, counts) : 0
    const take = Math.min(most, Math.max(room, reservedFor(lane, load, counts)))
    if (take > 0) {
      shares.push({ ...lane, take })
      counts.add(lane, take)
      left -= take
    }
  }
  return shares
}

type CountsByBound = { of(bound: string): number; add(lane: Lane, by: number): void }

function countsOf(load: Load): CountsByBound {
  const counted = new Map<string, number>()
  const add = (lane: Lane, by: number) => {
    for (const { what } of [{ what: ALL }, { what: laneBound(lane) }, ...boundsOf(lane, load)]) {
      counted.set(what, (counted.get(what) ?? 0) + by)
    }
  }
  for (const { claimed, ...lane } of load.claimed()) {
    add(lane, claimed)
  }
  return { of: (bound) => counted.get(bound) ?? 0, add }
}

/** A partner's second lane comes when others have had as much as its first, and so on. */
function inTurn(lanes: readonly Lane[], counts: CountsByBound, eachMax: number): readonly Lane[] {
  const aheadOf = new Map<string, number>()
  return lanes
    .map((lane) => ({ lane, claimed: counts.of(laneBound(lane)) }))
    .toSorted((one, other) => one.claimed - other.claimed)
    .map(({ lane }) => {
      const ahead = aheadOf.get(lane.partnerId) ?? counts.of(partnerName(lane))
      aheadOf.set(lane.partnerId, ahead + eachMax)
      return { lane, ahead }
    })
    .toSorted((one, other) => one.ahead - other.ahead)
    .map(({ lane }) => lane)
}

/** Whether enough is free in all and of the partner's, counted before anything of this look is claimed. */
function isWorthwhile(lane: Lane, before: CountsByBound): boolean {
  const { partnerId } = lane
  return [
    { most: CLAIMED_MAX + beyondBounds(before), claimed: before.of(ALL), heldUp: before.of(HELD_UP) },
    { most: CLAIMED_PER_PARTNER_MAX, claimed: before.of(partnerName(lane)), heldUp: before.of(heldUpName(partnerId)) },
  ].every(({ most, claimed, heldUp }) => most - claimed >= (most - heldUp) * WORTHWHILE)
}

function roomFor(lane: Lane, load: Load, counts: CountsByBound): number {
  const most = CLAIMED_PER_ORIGIN_MAX[load.paceOf(lane.origin)]
  const isEnough = most - counts.of(originName(lane)) >= most * WORTHWHILE
  const inAll = CLAIMED_MAX + beyondBounds(counts) - counts.of(ALL)
  const rooms = boundsOf(lane, load).map((bound) => bound.most - counts.of(bound.what))
  return isEnough ? Math.min(inAll, ...rooms) : 0
}

/** What is held up beyond its part of the places takes none of the others. */
function beyondBounds(counts: CountsByBound): number {
  return Math.max(0, counts.of(HELD_UP) - HELD_UP_MAX)
}

function reservedFor(lane: Lane, load: Load, counts: CountsByBound): number {
  const pace = load.paceOf(lane.origin)
  const inAll = CLAIMED_MAX + RESERVED_MAX - counts.of(ALL)
  const heldUp = pace === 'quick' ? inAll : HELD_UP_MAX + RESERVED_HELD_UP_MAX[pace] - counts.of(HELD_UP)
  const left = Math.min(inAll, heldUp)
  return Math.min((left < FEW_RESERVED ? 1 : RESERVED_PER_PARTNER) - counts.of(partnerName(lane)), left)
}

type Bound = { readonly what: string; readonly most: number }

/** What a delivery of a lane counts for, and how many each of it takes. */
function boundsOf(lane: Lane, load: Load): readonly Bound[] {
  const pace = load.paceOf(lane.origin)
  const bounds = [
    { what: partnerName(lane), most: CLAIMED_PER_PARTNER_MAX },
    { what: originName(lane), most: CLAIMED_PER_ORIGIN_MAX[pace] },
  ]
  const heldUp = [
    { what: HELD_UP, most: HELD_UP_MAX },
    { what: heldUpName(lane.partnerId), most: CLAIMED_PER_PARTNER_MAX * PART_HELD_UP },
  ]
  return pace === 'quick' ? bounds : [...bounds, ...heldUp]
}

const ALL = 'all'
const HELD_UP = 'held up'

function laneBound(lane: Lane): string {
  return `lane ${laneName(lane)}`
}

function partnerName({ partnerId }: Lane): string {
  return `partner ${partnerId}`
}

function originName({ origin }: Lane): string {
  return `origin ${origin}`
}

function heldUpName(partnerId: string): string {
  return `held up of ${partnerId}`
}
