/** Moves business time in the sandbox; long moves continue after the response, and after a restart. */
import { setTimeout } from 'node:timers/promises'
import type { ClockMove, SandboxClock } from '../../contract/sandbox/sandbox-clock.ts'
import type { Context } from '../context.ts'
import { type Clock, formatTimestamp } from '../platform/clock.ts'
import {
  acquireClockMoveLock,
  type ClockMoveLock,
  getClockMoveTarget,
  readClock,
  resetBusinessTime,
  setClockMoveTarget,
} from '../platform/database/business-clock-store.ts'
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { apiError, invalidRequest } from '../platform/http/errors/api-error.ts'
import { advanceClockInSteps, type ClockMoveParticipants } from './advance-clock-in-steps.ts'
import type { ClockMoves } from './clock-moves.ts'

/** Nothing waits for longer; beyond it, tables of holidays and the like would be guesswork. */
const CLOCK_AHEAD_MAX = { hours: 24 * 366 * 10 }
/** At process start the sandbox's other programs may be starting, too. */
const REACHABLE_ATTEMPTS_MAX = 120
const ATTEMPT_EVERY_MILLISECONDS = 500

/** The participants of moves, and their runner. */
export type ClockMoveContext = ClockMoveParticipants & { readonly moves: ClockMoves }

/** Both clocks, and the target of a move in progress. */
export async function getSandboxClock(context: Context): Promise<SandboxClock> {
  const movingTo = await getClockMoveTarget(context.database)
  return { ...timesOf(context), ...(movingTo === null ? {} : { movingTo: formatTimestamp(movingTo) }) }
}

/**
 * Moves or resets business time. A long move continues after the response, which then contains its target. Throws
 * `conflict` while another move is in flight.
 */
export async function moveClock(context: Context, moving: ClockMoveContext, request: ClockMove): Promise<SandboxClock> {
  const turn = await acquireClockMoveLock(context.database)
  if (turn === undefined) {
    throw await moveInFlightConflict(context)
  }
  const target = await prepare(context, moving, request).catch(async (error: unknown) => {
    await turn.release()
    throw error
  })
  if (target === null) {
    await turn.release()
    return timesOf(context)
  }
  const hasEnded = await moving.moves.hasEnded(complete(context, moving, { target, turn }))
  return { ...timesOf(context), ...(hasEnded ? {} : { movingTo: formatTimestamp(target) }) }
}

/**
 * Completes moves whose processes ended, at the start of this one and later, until it stops: another gateway may be
 * killed, and the database may notice that only after this one has started.
 */
export async function resumeClockMoves(context: Context, moving: ClockMoveContext): Promise<void> {
  const { stopping, times } = moving.moves
  while (!stopping.aborted) {
    await resumeClockMove(context, moving).catch((error: unknown) => {
      // A database that is away has an alert of its own.
      if (!stopping.aborted && !isDatabaseUnavailable(error)) {
        context.log.error({ error }, 'an interrupted clock move could not be resumed')
      }
    })
    await setTimeout(times.resumeEveryMilliseconds, undefined, { signal: stopping }).catch(() => undefined)
  }
}

async function resumeClockMove(context: Context, moving: ClockMoveContext): Promise<void> {
  const { database, log } = context
  const turn = (await getClockMoveTarget(database)) === null ? undefined : await acquireClockMoveLock(database)
  // Another process may have completed it by now.
  const target = turn && (await getClockMoveTarget(database))
  if (turn === undefined || target == null) {
    await turn?.release()
    return
  }
  log.info({ target: target.toString() }, 'resuming an interrupted clock move')
  await readClock(database, context.clock)
  await complete(context, moving, { target, turn })
}

async function moveInFlightConflict({ database }: Context): Promise<Error> {
  const target = await getClockMoveTarget(database)
  const where = target === null ? '' : ` to ${formatTimestamp(target)}`
  return apiError(
    'conflict',
    `The clock is being moved${where}. The move has ended when GET /api/sandbox/clock has no movingTo`,
  )
}

/** Resets, or returns the target and records it. */
async function prepare(
  context: Context,
  moving: ClockMoveContext,
  request: ClockMove,
): Promise<Temporal.Instant | null> {
  // Another gateway may have moved it since this one read the offset.
  await readClock(context.database, context.clock)
  // Circuit breakers of banks use wall time, which does not pass while days of business time do.
  await context.banks.resetFailures()
  if (request.reset === true) {
    await reset(context, moving)
    return null
  }
  const target = targetOf(context.clock, request)
  await setClockMoveTarget(context.database, target)
  return target
}

/** The target stays recorded when the process stops: the move continues at the next start. */
async function complete(
  context: Context,
  { moves: { stopping }, ...movable }: ClockMoveContext,
  { target, turn }: { readonly target: Temporal.Instant; readonly turn: ClockMoveLock },
): Promise<void> {
  try {
    await untilReachable(movable, stopping)
    await advanceClockInSteps(context, movable, { target, stopping })
  } catch (error) {
    throw stopping.aborted
      ? apiError('unavailable', 'The gateway is stopping; the move continues at its next start')
      : error
  } finally {
    await turn.release({ keepsTarget: stopping.aborted })
  }
}

async function untilReachable({ bank, provider }: ClockMoveParticipants, stopping: AbortSignal): Promise<void> {
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
    now: formatTimestamp(clock.now()),
    real: formatTimestamp(clock.real()),
    offsetSeconds: clock.offsetMilliseconds() / 1000,
  }
}

function targetOf(clock: Clock, { advance, set }: ClockMove): Temporal.Instant {
  const now = clock.now()
  const path = advance === undefined ? '.set' : '.advance'
  const target = advance === undefined ? instantOf(set) : later(now, advance)
  if (target === undefined || Temporal.Instant.compare(target, clock.real().add(CLOCK_AHEAD_MAX)) > 0) {
    throw invalidRequest(path, 'is more than ten years ahead of wall time')
  }
  if (Temporal.Instant.compare(target, now) < 0) {
    throw invalidRequest(
      path,
      `is before the current business time, ${formatTimestamp(now)}; only {"reset": true} moves backwards`,
    )
  }
  return target
}

/** Undefined when it is out of the clock's range. */
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
    throw invalidRequest('.set', 'is not an instant such as 2026-03-01T12:00:00.000Z')
  }
}

async function reset({ database, clock }: Context, { bank, provider, sweeps }: ClockMoveParticipants): Promise<void> {
  await resetBusinessTime(database, clock)
  await provider?.resetClock()
  await bank?.resetClock()
  for (const sweep of sweeps) {
    await sweep.recall?.()
  }
}
