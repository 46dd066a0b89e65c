/** Moves business time in the sandbox; what takes long continues after the answer, and after a restart. */
import { setTimeout } from 'node:timers/promises'
import type { ClockMove, SandboxClock } from '../../contract/sandbox/sandbox-clock.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../platform/clock.ts'
import {
  acquireMove,
  type MoveTurn,
  readClock,
  readMoveTarget,
  resetBusinessTime,
  writeMoveTarget,
} from '../platform/database/business-clock-store.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { invalid, refuse } from '../platform/http/errors/api-error.ts'
import { type Movable, moveByStops } from './advance-clock-in-steps.ts'
import type { ClockMoves } from './clock-moves.ts'

/** Everything that waits does so for less; beyond it, tables of holidays and the like would be guesswork. */
const AHEAD_MAX = { hours: 24 * 366 * 10 }
/** At the start of the process the sandbox's other programs may start, too. */
const REACHABLE_ATTEMPTS_MAX = 120
const ATTEMPT_EVERY_MILLISECONDS = 500

/** Who takes part in moves, and what keeps them going. */
export type ClockMoving = Movable & { readonly moves: ClockMoves }

/** Both times, and the target of a move that is in progress. */
export async function showClock(context: Context): Promise<SandboxClock> {
  const movingTo = await readMoveTarget(context.database)
  return { ...timesOf(context), ...(movingTo === null ? {} : { movingTo: printTimestamp(movingTo) }) }
}

/**
 * Moves, or resets. A move that takes long continues after the answer, which then says where to. Throws `conflict` while
 * another move is in flight.
 */
export async function moveClock(context: Context, moving: ClockMoving, asked: ClockMove): Promise<SandboxClock> {
  const turn = await acquireMove(context.database)
  if (turn === undefined) {
    throw await inFlight(context)
  }
  const target = await prepare(context, moving, asked).catch(async (error: unknown) => {
    await turn.release()
    throw error
  })
  if (target === null) {
    await turn.release()
    return timesOf(context)
  }
  const hasEnded = await moving.moves.hasEnded(complete(context, moving, { target, turn }))
  return { ...timesOf(context), ...(hasEnded ? {} : { movingTo: printTimestamp(target) }) }
}

/** Completes a move whose process ended. */
export async function resumeMove(context: Context, moving: ClockMoving): Promise<void> {
  const { database, log } = context
  const turn = (await readMoveTarget(database)) === null ? undefined : await acquireMove(database)
  // By now another process may have completed it.
  const target = turn && (await readMoveTarget(database))
  if (turn === undefined || target == null) {
    await turn?.release()
    return
  }
  log.info({ target: target.toString() }, 'a move of the clock that was interrupted continues')
  await readClock(database, context.clock)
  await complete(context, moving, { target, turn })
}

async function inFlight({ database }: Context): Promise<Error> {
  const target = await readMoveTarget(database)
  const where = target === null ? '' : ` to ${printTimestamp(target)}`
  return refuse(
    'conflict',
    `The clock is being moved${where}. GET /api/sandbox/clock has no movingTo once that move has ended`,
  )
}

/** Resets, or answers where to move and records it. */
async function prepare(context: Context, moving: ClockMoving, asked: ClockMove): Promise<Temporal.Instant | null> {
  // Another gateway may have moved it since this one read the offset.
  await readClock(context.database, context.clock)
  // A bank is left alone for so long in wall time, which does not pass while days of business time do.
  await context.banks.forgetFailures()
  if (asked.reset === true) {
    await reset(context, moving)
    return null
  }
  const target = targetOf(context.clock, asked)
  await writeMoveTarget(context.database, target)
  return target
}

/** The target stays recorded when the process stops: the move continues at the next start. */
async function complete(
  context: Context,
  { moves: { stopping }, ...movable }: ClockMoving,
  { target, turn }: { readonly target: Temporal.Instant; readonly turn: MoveTurn },
): Promise<void> {
  try {
    await untilReachable(movable, stopping)
    await moveByStops(context, movable, { target, stopping })
  } catch (error) {
    throw stopping.aborted ? refuse('unavailable', 'The gateway stops; the move continues at its next start') : error
  } finally {
    await turn.release({ keepsTarget: stopping.aborted })
  }
}

async function untilReachable({ bank, provider }: Movable, stopping: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await bank?.readClock()
      await provider?.readClock()
      return
    } catch (error) {
      stopping.throwIfAborted()
      if (attempt === REACHABLE_ATTEMPTS_MAX) {
        throw error
      }
      await setTimeout(ATTEMPT_EVERY_MILLISECONDS)
    }
  }
}

function timesOf({ clock }: Context): SandboxClock {
  return {
    now: printTimestamp(clock.now()),
    real: printTimestamp(clock.real()),
    offsetSeconds: clock.offsetMilliseconds() / 1000,
  }
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
