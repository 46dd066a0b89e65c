/** Advances business time to a target, stopping whenever something falls due, so that events happen in order. */
import type { Context } from '../context.ts'
import { setBusinessTime } from '../platform/database/business-clock-store.ts'
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { createDueSweepsReader, createDueTimesReader } from '../platform/jobs/due-time-watcher.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { DEFAULT_POLL_MILLISECONDS, ROWS_PER_ROUND, runSweepsUntilIdle } from '../platform/jobs/sweep-runner.ts'
import { waitUntil } from '../platform/wait-until.ts'
import type { ProgramControl, SandboxControl } from './sandbox-control.ts'

/** A sweep whose rows wait for business time. */
export type MovableSweep = Sweep & {
  /** Called once per stop at which its rows are due, before they are processed. */
  readonly prepare?: () => Promise<void>
}

export type ClockMoveParticipants = {
  readonly sweeps: readonly MovableSweep[]
  /** The sandbox bank; null when the gateway runs without one. */
  readonly bank: SandboxControl | null
  /** The sandbox's FX provider; null when there is none. */
  readonly provider: ProgramControl | null
}

/** The target of a move, and whether its process stops. */
export type ClockMoveTarget = { readonly target: Temporal.Instant; readonly stopping: AbortSignal }

/** For another worker, whose lease expires by itself if it died, and for the bank and the FX provider. */
const WAITING = { withinMilliseconds: 3_600_000, everyMilliseconds: 50 }
/** Ten years of hourly attempts; more stops than this mean that a row falls due repeatedly without progress. */
const STOPS_MAX = 100_000
/** Business time advances while rows are processed: this margin remains before the next external event. */
const LEAD_BEFORE_EVENT = { seconds: 1 }
/** What is still due after so many rounds is left to the next stop. */
const ROUNDS_PER_STOP_MAX = 400
/**
 * Polls find something new after an event at the bank: with this tolerance relative to the time since then, or since the
 * move began, they are as frequent as without a move where they matter, and rare where they do not.
 */
const TOLERATED_SHARE = 0.5
const TOLERATED_AT_LEAST_MILLISECONDS = 60_000

/** The name of events at the sandbox's programs in the list of due times. */
const OUTSIDE = 'sandbox bank or FX provider'

/** When each sweep's next row falls due, and the next event at the bank or the FX provider. */
export type DueTimes = {
  readonly bySweep: ReadonlyMap<MovableSweep, Temporal.Instant>
  readonly outside: Temporal.Instant | null
}

/** Moves from stop to stop. Throws when the process stops; the clock then stays where it is. */
export async function advanceClockInSteps(
  context: Context,
  participants: ClockMoveParticipants,
  { target, stopping }: ClockMoveTarget,
): Promise<void> {
  const { sweeps, failing } = isolateFailures(context, participants.sweeps)
  const movable = { ...participants, sweeps }
  const readDues = openDueTimesReader(context, movable)
  let quietSince = context.clock.now()
  let before: Temporal.Instant | null = null
  const takeStep = async () => {
    stopping.throwIfAborted()
    const dues = withoutSweeps(await readDues(), failing)
    const stop = nextStop(dues, { quietSince, target })
    const rowsProcessed = stop === null ? 0 : await runStop(context, movable, { stop, dues, stopping })
    // Due rows are leased by another worker, or the bank or the FX provider has not finished with them.
    const isStuck = rowsProcessed === 0 && stop !== null && before !== null && !isAfter(stop, before)
    return { dues, stop, isStuck }
  }
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    const { dues, stop, isStuck } = await waitUntil(takeStep, (step) => !step.isStuck, WAITING)
    if (stop === null) {
      await setClocks(context, movable, target)
      for (const sweep of movable.sweeps) {
        await sweep.prepare?.()
      }
      await runSweepsUntilIdle(createDueSweepsReader(context, movable.sweeps))
      return
    }
    if (isStuck) {
      break
    }
    before = stop
    quietSince = dues.outside === null || isAfter(dues.outside, stop) ? quietSince : stop
  }
  throw new Error(
    `The clock does not reach ${target}: it stopped ${STOPS_MAX} times, or rows that are due at ${before} stay due`,
  )
}

/**
 * A sweep that fails as a whole, for another reason than an unavailable database, is left out of the rest of the move:
 * the clock must not wait for its rows.
 */
function isolateFailures({ log }: Context, sweeps: readonly MovableSweep[]) {
  const failing = new Set<string>()
  const attempt = async <Result>(name: string, otherwise: Result, work: () => Promise<Result>): Promise<Result> => {
    try {
      return failing.has(name) ? otherwise : await work()
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        throw error
      }
      failing.add(name)
      log.error({ sweep: name, error }, 'a sweep fails; the clock moves without it')
      return otherwise
    }
  }
  const isolate = ({ prepare, ...sweep }: MovableSweep): MovableSweep => ({
    ...sweep,
    run: (limit) => attempt(sweep.name, 0, () => sweep.run(limit)),
    ...(prepare === undefined ? {} : { prepare: () => attempt(sweep.name, undefined, prepare) }),
  })
  return { sweeps: sweeps.map(isolate), failing }
}

function withoutSweeps({ bySweep, outside }: DueTimes, names: ReadonlySet<string>): DueTimes {
  return { bySweep: new Map([...bySweep].filter(([{ name }]) => !names.has(name))), outside }
}

/**
 * The last moment at which no row would be processed later than its sweep tolerates; null when nothing falls due until
 * the target. Rows due before an external event are processed before it: a poll finds what it would have found in real
 * time.
 */
export function nextStop(
  { bySweep, outside }: DueTimes,
  { quietSince, target }: { readonly quietSince: Temporal.Instant; readonly target: Temporal.Instant },
): Temporal.Instant | null {
  const first = earliestOf([...bySweep.values()])
  const due = earliestOf([first, outside])
  if (due === null || isAfter(due, target)) {
    return null
  }
  const latest = [...bySweep].map(([sweep, sweepDue]) =>
    sweepDue.add({ milliseconds: toleranceOf(sweep, sweepDue.epochMilliseconds - quietSince.epochMilliseconds) }),
  )
  const beforeEvent = outside?.subtract(LEAD_BEFORE_EVENT)
  const isFirstBefore = first !== null && beforeEvent !== undefined && isAfter(beforeEvent, first)
  const event = isFirstBefore ? beforeEvent : outside?.add({ milliseconds: DEFAULT_POLL_MILLISECONDS })
  return earliestOf([...latest, event ?? null, target])
}

function toleranceOf({ toleranceMilliseconds, everyMilliseconds }: Sweep, quietMilliseconds: number): number {
  if (toleranceMilliseconds === undefined) {
    return everyMilliseconds ?? DEFAULT_POLL_MILLISECONDS
  }
  const share = Math.max(TOLERATED_AT_LEAST_MILLISECONDS, Math.floor(TOLERATED_SHARE * quietMilliseconds))
  return Math.min(toleranceMilliseconds, share)
}

/**
 * Runs only due sweeps: a bank that is down makes thousands of stops. Rows that become due by that are processed at the
 * next stop.
 */
async function runStop(
  context: Context,
  movable: ClockMoveParticipants,
  {
    stop,
    dues,
    stopping,
  }: { readonly stop: Temporal.Instant; readonly dues: DueTimes; readonly stopping: AbortSignal },
): Promise<number> {
  await setClocks(context, movable, stop)
  let rowsProcessed = 0
  for (const [sweep, sweepDue] of dues.bySweep) {
    rowsProcessed += isAfter(sweepDue, stop) ? 0 : await runWhileFull(sweep, stopping)
  }
  return rowsProcessed
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

/** The gateway first, then the FX provider, and then the bank, which sends it money; never backwards. */
async function setClocks(
  context: Context,
  { bank, provider }: Pick<ClockMoveParticipants, 'bank' | 'provider'>,
  wanted: Temporal.Instant,
): Promise<void> {
  const now = context.clock.now()
  const time = isAfter(now, wanted) ? now : wanted
  await setBusinessTime(context.database, context.clock, time)
  await provider?.setClock(time)
  await bank?.setClock(time)
}

/** One statement reads the due times of most sweeps. */
function openDueTimesReader(
  { database }: Context,
  { sweeps, bank, provider }: ClockMoveParticipants,
): () => Promise<DueTimes> {
  const together = sweeps.filter(({ dueStatement }) => dueStatement !== undefined)
  const apart = sweeps.filter(({ dueStatement }) => dueStatement === undefined)
  const readTogether = createDueTimesReader(database, together)
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
      outside: earliestOf([atBank?.nextDueAt ?? null, atProvider?.nextDueAt ?? null]),
    }
  }
}

/** What falls due next by business time: of each sweep, at the bank and at the FX provider; the earliest first. */
export async function listDueTimes(
  context: Context,
  movable: ClockMoveParticipants,
): Promise<readonly { readonly name: string; readonly at: Temporal.Instant }[]> {
  const { bySweep, outside } = await openDueTimesReader(context, movable)()
  const dues = [...bySweep].map(([{ name }, at]) => ({ name, at }))
  const all = outside === null ? dues : [...dues, { name: OUTSIDE, at: outside }]
  return all.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))
}

/** Sweeps run in the order in which they are listed. */
function inOrder(sweep: MovableSweep, due: Temporal.Instant | null = null): [MovableSweep, Temporal.Instant][] {
  return due === null ? [] : [[sweep, due]]
}

function earliestOf(dues: readonly (Temporal.Instant | null)[]): Temporal.Instant | null {
  return dues.reduce((least, due) => (due !== null && (least === null || isAfter(least, due)) ? due : least), null)
}

function isAfter(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0
}
