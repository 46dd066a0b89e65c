/** Takes business time to a target, stopping wherever something falls due, so that everything happens in order. */
import { setTimeout } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { setBusinessTime } from '../platform/database/business-clock-store.ts'
import { duesReader } from '../platform/jobs/due-time-watcher.ts'
import { ROUND_EVERY_MILLISECONDS, ROWS_PER_ROUND, sweepUntilIdle } from '../platform/jobs/sweep-runner.ts'
import type { ProgramControl, SandboxControl } from './sandbox-control.ts'

/** A sweep whose rows wait for business time. */
export type MovableSweep = Sweep & {
  /** Called once per stop at which its rows are due, before they are seen to. */
  readonly prepare?: () => Promise<void>
}

/** Who takes part in a move. */
export type Movable = {
  readonly sweeps: readonly MovableSweep[]
  /** The sandbox bank; null when the gateway runs without one. */
  readonly bank: SandboxControl | null
  /** The sandbox's provider of exchange; null when there is none. */
  readonly provider: ProgramControl | null
}

/** Where a move leads, and whether its process stops. */
export type Way = { readonly target: Temporal.Instant; readonly stopping: AbortSignal }

/** Another worker's lease ends by itself if that worker died. */
const WAIT_FOR_OTHERS_MILLISECONDS = 50
/** A year of hourly reads; more stops than this mean that something falls due again and again without moving on. */
const STOPS_MAX = 20_000
/** Business time goes on while rows are seen to: so much of it is left before the next event outside. */
const BEFORE_EVENT = { seconds: 1 }
/** What is still due after so many rounds is left to the next stop. */
const ROUNDS_PER_STOP_MAX = 400
/** Waits for reads grow: late by so much of the way to them, they are as frequent at the begin of a move as without one. */
const TOLERATED_SHARE = 0.2
const TOLERATED_AT_LEAST_MILLISECONDS = 5_000

/** When each sweep's next row falls due, and when something does at the bank or at the provider. */
export type Dues = {
  readonly bySweep: ReadonlyMap<MovableSweep, Temporal.Instant>
  readonly outside: Temporal.Instant | null
}

/** Moves from stop to stop. Throws when the process stops: the clock is then left where it is. */
export async function moveByStops(context: Context, movable: Movable, { target, stopping }: Way): Promise<void> {
  const readDues = openDuesReader(context, movable)
  const begun = context.clock.now()
  let before: Temporal.Instant | null = null
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    stopping.throwIfAborted()
    const dues = await readDues()
    const stop = nextStop(dues, { begun, target })
    if (stop === null) {
      await setClocks(context, movable, target)
      for (const sweep of movable.sweeps) {
        await sweep.prepare?.()
      }
      await sweepUntilIdle(movable.sweeps)
      return
    }
    const seenTo = await stopAt(context, movable, { stop, dues, stopping })
    const isStuck = before !== null && !isAfter(stop, before)
    if (seenTo === 0 && isStuck) {
      // What is due is in the hands of another worker, or the bank or the provider is not done with it.
      await setTimeout(WAIT_FOR_OTHERS_MILLISECONDS)
    }
    before = stop
  }
  throw new Error(`The clock stopped ${STOPS_MAX} times on its way to ${target}`)
}

/**
 * The last moment at which nothing would be seen to later than its sweep tolerates; null when nothing falls due until the
 * target. What falls due before an event outside is seen to before it: a read finds what it would have found in time.
 */
export function nextStop(
  { bySweep, outside }: Dues,
  { begun, target }: { readonly begun: Temporal.Instant; readonly target: Temporal.Instant },
): Temporal.Instant | null {
  const first = leastOf([...bySweep.values()])
  const due = leastOf([first, outside])
  if (due === null || isAfter(due, target)) {
    return null
  }
  const latest = [...bySweep].map(([sweep, sweepDue]) =>
    sweepDue.add({ milliseconds: toleranceOf(sweep, sweepDue.epochMilliseconds - begun.epochMilliseconds) }),
  )
  const beforeEvent = outside?.subtract(BEFORE_EVENT)
  const isFirstBefore = first !== null && beforeEvent !== undefined && isAfter(beforeEvent, first)
  const event = isFirstBefore ? beforeEvent : outside?.add({ milliseconds: ROUND_EVERY_MILLISECONDS })
  return leastOf([...latest, event ?? null, target])
}

function toleranceOf({ toleranceMilliseconds, everyMilliseconds }: Sweep, wayMilliseconds: number): number {
  if (toleranceMilliseconds === undefined) {
    return everyMilliseconds ?? ROUND_EVERY_MILLISECONDS
  }
  const share = Math.max(TOLERATED_AT_LEAST_MILLISECONDS, Math.floor(TOLERATED_SHARE * wayMilliseconds))
  return Math.min(toleranceMilliseconds, share)
}

/** Only what is due is run: a bank that is down makes thousands of stops. What that causes, or leaves over, is due at the next stop. */
async function stopAt(
  context: Context,
  movable: Movable,
  { stop, dues, stopping }: { readonly stop: Temporal.Instant; readonly dues: Dues; readonly stopping: AbortSignal },
): Promise<number> {
  await setClocks(context, movable, stop)
  let seenTo = 0
  for (const [sweep, sweepDue] of dues.bySweep) {
    seenTo += isAfter(sweepDue, stop) ? 0 : await runWhileFull(sweep, stopping)
  }
  return seenTo
}

/** Thousands of rows may be due at one stop. */
async function runWhileFull(sweep: MovableSweep, stopping: AbortSignal): Promise<number> {
  let total = 0
  await sweep.prepare?.()
  for (let round = 0; round < ROUNDS_PER_STOP_MAX; round += 1) {
    stopping.throwIfAborted()
    const found = await sweep.run(ROWS_PER_ROUND)
    total += found
    if (found < ROWS_PER_ROUND) {
      break
    }
  }
  return total
}

/** Here first, then at the provider, and at the bank, which sends it money; never backwards. */
async function setClocks(
  context: Context,
  { bank, provider }: Pick<Movable, 'bank' | 'provider'>,
  wanted: Temporal.Instant,
): Promise<void> {
  const now = context.clock.now()
  const time = isAfter(now, wanted) ? now : wanted
  await setBusinessTime(context.database, context.clock, time)
  await provider?.setClock(time)
  await bank?.setClock(time)
}

/** One statement reads the due times of most sweeps. */
function openDuesReader({ database }: Context, { sweeps, bank, provider }: Movable): () => Promise<Dues> {
  const together = sweeps.filter(({ dueStatement }) => dueStatement !== undefined)
  const apart = sweeps.filter(({ dueStatement }) => dueStatement === undefined)
  const readTogether = duesReader(database, together)
  return async () => {
    const [read, others, atBank, atProvider] = await Promise.all([
      readTogether(),
      Promise.all(apart.map(async (sweep) => [sweep, await sweep.nextDue()] as const)),
      bank?.readClock(),
      provider?.readClock(),
    ])
    const dueOf = new Map([...read, ...others])
    return {
      bySweep: new Map(sweeps.flatMap((sweep) => inOrder(sweep, dueOf.get(sweep)))),
      outside: leastOf([atBank?.nextDueAt ?? null, atProvider?.nextDueAt ?? null]),
    }
  }
}

/** Sweeps are run in the order in which they are listed. */
function inOrder(sweep: MovableSweep, due: Temporal.Instant | null = null): [MovableSweep, Temporal.Instant][] {
  return due === null ? [] : [[sweep, due]]
}

function leastOf(dues: readonly (Temporal.Instant | null)[]): Temporal.Instant | null {
  return dues.reduce((least, due) => (due !== null && (least === null || isAfter(least, due)) ? due : least), null)
}

function isAfter(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0
}
