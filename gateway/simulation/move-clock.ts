/** Moves business time in the sandbox, stopping wherever something falls due, so that everything happens in order. */
import { setTimeout } from 'node:timers/promises'
import type { ClockMove, SandboxClock } from '../../contract/sandbox.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../foundation/clock.ts'
import { readClock, resetBusinessTime, setBusinessTime, whileMoving } from '../foundation/clock-store.ts'
import { invalid, refuse } from '../foundation/http/refusal.ts'
import { type Sweep, sweepUntilIdle } from '../foundation/sweeps.ts'
import type { SandboxControl } from './control.ts'

/** Who takes part in a move. */
export type Movable = {
  /** The sweeps whose rows wait for business time. */
  readonly sweeps: readonly Sweep[]
  /** The sandbox bank; null when the gateway runs without one. */
  readonly bank: SandboxControl | null
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
    now: clock.now().toString(),
    real: clock.real().toString(),
    offsetSeconds: clock.offsetMilliseconds() / 1000,
  }
}

/** Moves, or resets. Throws `conflict` while another move is under way. */
export async function moveClock(context: Context, movable: Movable, asked: ClockMove): Promise<SandboxClock> {
  const moved = await whileMoving(context.database, async () => {
    // Another gateway may have moved it since this one read the offset.
    await readClock(context.database, context.clock)
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
    throw invalid(path, `lies before the present business time, ${now}; backwards goes only {"reset": true}`)
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
    throw invalid('.set', 'is no instant, such as 2026-03-01T12:00:00Z')
  }
}

async function reset({ database, clock }: Context, { bank, sweeps }: Movable): Promise<void> {
  await resetBusinessTime(database, clock)
  await bank?.resetClock()
  for (const sweep of sweeps) {
    await sweep.recall?.()
  }
}

async function stopByStop(context: Context, movable: Movable, target: Temporal.Instant): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    const due = await leastDue(movable)
    const isDueBefore = due !== null && Temporal.Instant.compare(due, target) <= 0
    const seenTo = await stopAt(context, movable, isDueBefore ? due : target)
    if (!isDueBefore) {
      return
    }
    if (seenTo === 0) {
      // What is due is in the hands of another worker, or was the bank's alone.
      await setTimeout(WAIT_FOR_OTHERS_MILLISECONDS)
    }
  }
  throw new Error(`The clock stopped ${STOPS_MAX} times on its way to ${target}`)
}

/** Sets the clock, here first and then at the bank, and sees to all that is due; never backwards. */
async function stopAt(context: Context, { sweeps, bank }: Movable, wanted: Temporal.Instant): Promise<number> {
  const now = context.clock.now()
  const time = Temporal.Instant.compare(wanted, now) < 0 ? now : wanted
  await setBusinessTime(context.database, context.clock, time)
  await bank?.setClock(time)
  return await sweepUntilIdle(sweeps)
}

async function leastDue({ sweeps, bank }: Movable): Promise<Temporal.Instant | null> {
  const dues = await Promise.all(sweeps.map((sweep) => sweep.nextDue()))
  const bankDue = bank === null ? null : (await bank.readClock()).nextDueAt
  return [...dues, bankDue].reduce(
    (least, due) => (due === null || (least !== null && Temporal.Instant.compare(least, due) <= 0) ? least : due),
    null,
  )
}
