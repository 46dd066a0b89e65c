/** Moves business time in the sandbox, stopping wherever something falls due, so that everything happens in order. */
import { setTimeout } from 'node:timers/promises'
import type { ClockMove, SandboxClock } from '../../contract/sandbox.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../foundation/clock.ts'
import { readClock, resetBusinessTime, setBusinessTime, whileMoving } from '../foundation/clock-store.ts'
import { invalid, refuse } from '../foundation/http/refusal.ts'
import { printTimestamp } from '../foundation/print-timestamp.ts'
import { ROWS_PER_ROUND, type Sweep, sweepUntilIdle } from '../foundation/sweeps.ts'
import type { ProgramControl, SandboxControl } from './control.ts'

/** Who takes part in a move. */
export type Movable = {
  /** The sweeps whose rows wait for business time. */
  readonly sweeps: readonly Sweep[]
  /** The sandbox bank; null when the gateway runs without one. */
  readonly bank: SandboxControl | null
  /** The sandbox's provider of exchange; null when there is none. */
  readonly provider: ProgramControl | null
}

/** Another worker's lease ends by itself if that worker died. */
const WAIT_FOR_OTHERS_MILLISECONDS = 50
/** Everything that waits does so for less; beyond it, tables of holidays and the like would be guesswork. */
const AHEAD_MAX = { hours: 24 * 366 * 10 }
/** A year of hourly reads; more stops than this mean that something falls due again and again without moving on. */
const STOPS_MAX = 20_000

/** Both times. */
export function showClock({ clock }: Context): SandboxClock {
  return {
    now: printTimestamp(clock.now()),
    real: printTimestamp(clock.real()),
    offsetSeconds: clock.offsetMilliseconds() / 1000,
  }
}

/** Moves, or resets. Throws `conflict` while another move is under way. */
export async function moveClock(context: Context, movable: Movable, asked: ClockMove): Promise<SandboxClock> {
  const moved = await whileMoving(context.database, async () => {
    // Another gateway may have moved it since this one read the offset.
    await readClock(context.database, context.clock)
    // A bank is left alone for so long in wall time, which does not pass while days of business time do.
    await context.banks.forgetFailures()
    await (asked.reset === true
      ? reset(context, movable)
      : stopByStop(context, movable, targetOf(context.clock, asked)))
  })
  if (!moved) {
    throw refuse('conflict', 'The clock is being moved by another request')
  }
  return showClock(context)
}

function targetOf(clock: Clock, { advance, set }: ClockMove): Temporal.Instant {
  const now = clock.now()
  const path = advance === undefined ? '.set' : '.advance'
  const target = advance === undefined ? instantOf(set) : later(now, advance)
  if (target === undefined || Temporal.Instant.compare(target, clock.real().add(AHEAD_MAX)) > 0) {
    throw invalid(path, 'leads more than ten years ahead of wall time')
  }
  if (Temporal.Instant.compare(target, now) < 0) {
    throw invalid(
      path,
      `lies before the present business time, ${printTimestamp(now)}; backwards goes only {"reset": true}`,
    )
  }
  return target
}

/** Undefined when it lies outside of what a clock can tell. */
function later(now: Temporal.Instant, advance: string): Temporal.Instant | undefined {
  try {
    return now.toZonedDateTimeISO('UTC').add(Temporal.Duration.from(advance)).toInstant()
  } catch {
    return undefined
  }
}

function instantOf(text = ''): Temporal.Instant {
  try {
    return Temporal.Instant.from(text)
  } catch {
    throw invalid('.set', 'is no instant, such as 2026-03-01T12:00:00.000Z')
  }
}

async function reset({ database, clock }: Context, { bank, provider, sweeps }: Movable): Promise<void> {
  await resetBusinessTime(database, clock)
  await provider?.resetClock()
  await bank?.resetClock()
  for (const sweep of sweeps) {
    await sweep.recall?.()
  }
}

/** When each sweep's next row falls due, and when something does at the bank and at the provider. */
type Dues = { readonly bySweep: ReadonlyMap<Sweep, Temporal.Instant>; readonly outside: readonly Temporal.Instant[] }

async function stopByStop(context: Context, movable: Movable, target: Temporal.Instant): Promise<void> {
  let before: Temporal.Instant | null = null
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    const dues = await duesOf(movable)
    const due = leastOf(dues)
    if (due === null || isAfter(due, target)) {
      await setClocks(context, movable, target)
      await sweepUntilIdle(movable.sweeps)
      return
    }
    const seenTo = await stopAt(context, movable, { due, dues })
    const isStuck = before !== null && !isAfter(due, before)
    if (seenTo === 0 && isStuck) {
      // What is due is in the hands of another worker, or the bank or the provider is not done with it.
      await setTimeout(WAIT_FOR_OTHERS_MILLISECONDS)
    }
    before = due
  }
  throw new Error(`The clock stopped ${STOPS_MAX} times on its way to ${target}`)
}

/** Only what is due is run: a bank that is down makes thousands of stops. What that causes, or leaves over, is due at the next look. */
async function stopAt(
  context: Context,
  movable: Movable,
  { due, dues }: { readonly due: Temporal.Instant; readonly dues: Dues },
): Promise<number> {
  await setClocks(context, movable, due)
  let seenTo = 0
  for (const [sweep, sweepDue] of dues.bySweep) {
    seenTo += isAfter(sweepDue, due) ? 0 : await sweep.run(ROWS_PER_ROUND)
  }
  return seenTo
}

/** Here first, then at the provider, and at the bank, which sends it money; never backwards. */
async function setClocks(context: Context, { bank, provider }: Movable, wanted: Temporal.Instant): Promise<void> {
  const now = context.clock.now()
  const time = isAfter(now, wanted) ? now : wanted
  await setBusinessTime(context.database, context.clock, time)
  await provider?.setClock(time)
  await bank?.setClock(time)
}

async function duesOf({ sweeps, bank, provider }: Movable): Promise<Dues> {
  const dues = await Promise.all(sweeps.map(async (sweep) => ({ sweep, due: await sweep.nextDue() })))
  const clocks = [await bank?.readClock(), await provider?.readClock()]
  return {
    bySweep: new Map(dues.flatMap(({ sweep, due }) => (due === null ? [] : [[sweep, due] as const]))),
    outside: clocks.flatMap((clock) => (clock?.nextDueAt == null ? [] : [clock.nextDueAt])),
  }
}

function leastOf({ bySweep, outside }: Dues): Temporal.Instant | null {
  const dues = [...bySweep.values(), ...outside]
  return dues.reduce<Temporal.Instant | null>(
    (least, due) => (least === null || isAfter(least, due) ? due : least),
    null,
  )
}

function isAfter(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0
}
