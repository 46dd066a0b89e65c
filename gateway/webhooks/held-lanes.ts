/** Keeps lanes to one worker at a time, which therefore needs no statement to take a delivery, and keeps their order by itself. */
import { steadyMilliseconds } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { type Lane, laneName, type WaitingDelivery, waitingInLanes } from './deliveries/delivery-queue-store.ts'
import type { LaneShare } from './fair-shares.ts'
import { HOLD_SECONDS, holdLanes, holdOn, leaveLanes } from './held-lane-store.ts'

/** The lanes of one worker. */
export type HeldLanes = {
  /** Whether it is worth asking for: a lane that another worker has is left to it for a while. */
  isWorthAsking(lane: Lane): boolean
  /** The oldest of what waits in lanes that this worker has or gets; each is in its hands until it is put down. */
  takeFrom(shares: readonly LaneShare[]): Promise<readonly WaitingDelivery[]>
  /** Those of which the last reading brought as much as was asked for: there is more in them, maybe. */
  withMore(): readonly Lane[]
  /** Whether nobody else can have made it since it was taken, nor makes it at present. */
  isToMake(delivery: WaitingDelivery): boolean
  /** What was left undone comes first again. */
  putDown(delivery: WaitingDelivery, ending: 'made' | 'left'): void
  /** Goes on holding the lanes of what is in its hands. */
  renew(): Promise<void>
  /** Leaves to others those of these lanes, or of all, in which nothing is in its hands. */
  leaveIdle(lanes?: readonly Lane[]): Promise<void>
}

const HOLD_MILLISECONDS = HOLD_SECONDS * 1_000
/** Lanes that end sooner are held anew before anything is taken from them. */
const HELD_LONG_ENOUGH_MILLISECONDS = HOLD_MILLISECONDS / 2
const ANOTHER_HAS_IT_MILLISECONDS = 1_000
/**
 * What is queued while a lane is held comes behind what was read of it, because events of a partner are queued one
 * transaction after the other. Retries and what was put down untried do not, and are found by reading from the beginning.
 */
const READ_ALL_EVERY_MILLISECONDS = 250

type HeldLane = Lane & {
  /** By the clock that nobody sets; the database counts from a moment later. */
  until: number
  /** Counts how often it was lost, and maybe another's, before it was held again. */
  losses: number
  /** What was taken and after which loss, by its place in the order. */
  readonly inHand: Map<bigint, number>
  /** Everything older is in hand or was; what is not is found when all is read. */
  readTo: bigint
  /** The newest that was ever read. */
  seenTo: bigint
  readAllAt: number
  hasMore: boolean
}

const AT_THE_BEGINNING = { readTo: 0n, seenTo: 0n, readAllAt: Number.NEGATIVE_INFINITY, hasMore: false }

/** What one worker knows of lanes: those that it holds, and until when it leaves alone those that others hold. */
type LaneTable = {
  readonly database: Database<unknown>
  readonly worker: string
  readonly held: Map<string, HeldLane>
  readonly othersUntil: Map<string, number>
}

export function openHeldLanes(database: Database<unknown>): HeldLanes {
  const table: LaneTable = { database, worker: newId(), held: new Map(), othersUntil: new Map() }
  const { held, othersUntil } = table
  // What is being read is in nobody's hands yet: nothing else may be read, or left to others, meanwhile.
  const inTurn = openQueue()
  const isHeld = (lane: string) => (held.get(lane)?.until ?? 0) > steadyMilliseconds()
  return {
    isToMake: (delivery) => {
      const lane = held.get(delivery.lane)
      return isHeld(delivery.lane) && lane?.inHand.get(delivery.sequence) === lane?.losses
    },
    withMore: () => {
      const now = steadyMilliseconds()
      return [...held.values()]
        .filter(({ hasMore, until }) => hasMore && until > now)
        .map(({ partnerId, origin }) => ({ partnerId, origin }))
    },
    isWorthAsking: (lane) => (othersUntil.get(laneName(lane)) ?? 0) < steadyMilliseconds(),
    takeFrom: (shares) =>
      inTurn(async () => {
        const enough = steadyMilliseconds() + HELD_LONG_ENOUGH_MILLISECONDS
        const ending = shares.filter((lane) => (held.get(laneName(lane))?.until ?? 0) < enough)
        await hold(table, ending)
        const mine = shares.filter((lane) => isHeld(laneName(lane)))
        return await read(database, held, mine)
      }),
    putDown: (delivery, ending) => {
      const lane = held.get(delivery.lane)
      lane?.inHand.delete(delivery.sequence)
      if (lane !== undefined && ending === 'left') {
        Object.assign(lane, AT_THE_BEGINNING)
      }
    },
    renew: () => renew(table),
    leaveIdle: (lanes = [...held.values()]) => inTurn(() => leaveIdle(table, lanes)),
  }
}

/** Asks for these lanes; what is not got, another worker has. */
async function hold(table: LaneTable, lanes: readonly Lane[]): Promise<void> {
  if (lanes.length === 0) {
    return
  }
  const { database, worker, held, othersUntil } = table
  const asked = steadyMilliseconds()
  forgetPast(table, asked)
  const got = await holdLanes(database, worker, lanes)
  for (const lane of lanes) {
    othersUntil.set(laneName(lane), asked + ANOTHER_HAS_IT_MILLISECONDS)
  }
  for (const lane of got) {
    othersUntil.delete(laneName(lane))
    keep(held, lane, asked)
  }
}

function keep(held: Map<string, HeldLane>, lane: Lane, asked: number): void {
  const known = held.get(laneName(lane))
  const until = asked + HOLD_MILLISECONDS
  if (known === undefined) {
    held.set(laneName(lane), { ...lane, ...AT_THE_BEGINNING, losses: 0, inHand: new Map(), until })
  } else {
    // Another worker may have had it meanwhile.
    const isAnew = known.until < asked
    Object.assign(known, isAnew ? { ...AT_THE_BEGINNING, losses: known.losses + 1 } : {}, { until })
  }
}

async function renew({ database, worker, held }: LaneTable): Promise<void> {
  const asked = steadyMilliseconds()
  const lanes = [...held.values()].filter(({ inHand }) => inHand.size > 0)
  if (lanes.length === 0) {
    return
  }
  const goOn = new Set((await holdOn(database, worker, lanes)).map(laneName))
  for (const lane of lanes) {
    lane.until = goOn.has(laneName(lane)) ? Math.max(lane.until, asked + HOLD_MILLISECONDS) : 0
  }
}

function forgetPast({ held, othersUntil }: LaneTable, now: number): void {
  for (const [name, { until, inHand }] of held) {
    if (until < now && inHand.size === 0) {
      held.delete(name)
    }
  }
  for (const [name, until] of othersUntil) {
    if (until < now) {
      othersUntil.delete(name)
    }
  }
}

async function leaveIdle({ database, worker, held }: LaneTable, lanes: readonly Lane[]): Promise<void> {
  const idle = lanes.filter((lane) => held.get(laneName(lane))?.inHand.size === 0)
  for (const lane of idle) {
    held.delete(laneName(lane))
  }
  if (idle.length > 0) {
    await leaveLanes(database, worker, idle)
  }
}

/** Runs one after the other, whatever became of the one before. */
function openQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (run) => {
    const next = last.then(run, run)
    last = next.catch(() => undefined)
    return await next
  }
}

async function read(
  database: Database<unknown>,
  held: ReadonlyMap<string, HeldLane>,
  shares: readonly LaneShare[],
): Promise<readonly WaitingDelivery[]> {
  const now = steadyMilliseconds()
  const places = shares.flatMap(({ take, ...lane }) => {
    const known = held.get(laneName(lane))
    return known === undefined ? [] : [{ known, take, behind: behindOf(known, now) }]
  })
  const inHand = places.flatMap(({ known, behind }) => [...known.inHand.keys()].filter((sequence) => sequence > behind))
  const asked = places.map(({ known, ...place }) => ({ ...place, partnerId: known.partnerId, origin: known.origin }))
  const found = asked.length === 0 ? [] : await waitingInLanes(database, asked, inHand)
  const byLane = Map.groupBy(found, ({ lane }) => lane)
  for (const { known, take } of places) {
    note(known, byLane.get(laneName(known)) ?? [], take)
  }
  return found
}

/** Where to read on; at the very beginning when that was long ago. */
function behindOf(lane: HeldLane, now: number): bigint {
  if (now - lane.readAllAt < READ_ALL_EVERY_MILLISECONDS) {
    return lane.readTo
  }
  lane.readAllAt = now
  return 0n
}

function note(lane: HeldLane, found: readonly WaitingDelivery[], take: number): void {
  for (const { sequence } of found) {
    lane.inHand.set(sequence, lane.losses)
  }
  const last = found.at(-1)
  if (last !== undefined && last.sequence > lane.seenTo) {
    lane.seenTo = last.sequence
  }
  lane.hasMore = found.length === take
  lane.readTo = last !== undefined && lane.hasMore ? last.sequence : lane.seenTo
}
