/** Runs clock moves in the background after their response, until they end or their process stops. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/observability/log.ts'

export type ClockMoves = {
  readonly times: ClockMoveTimes
  /** Aborted when a move is to stop where it is. */
  readonly stopping: AbortSignal
  /**
   * Awaits a move for as long as its response may take; false when it continues. Throws what the move throws until
   * then.
   */
  hasEnded(move: Promise<void>): Promise<boolean>
  /** Runs a move in the background. */
  inBackground(move: Promise<void>): void
  /** Stops the move in flight, and waits for it. */
  stop(): Promise<void>
}

/** How long a move may delay its answer, and how often a process looks for moves whose process was killed. */
export type ClockMoveTimes = { readonly answerMilliseconds: number; readonly resumeEveryMilliseconds: number }

/** An answer takes at most half of the callers' timeout. */
export const CLOCK_MOVE_TIMES: ClockMoveTimes = { answerMilliseconds: 5_000, resumeEveryMilliseconds: 5_000 }

/** None is in flight. */
export function openClockMoves(log: Log, times: ClockMoveTimes): ClockMoves {
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  const follow = (move: Promise<void>, isAwaited: () => boolean) => {
    const ended = move
      .catch((error: unknown) => {
        if (!(isAwaited() || stopping.signal.aborted)) {
          log.error({ error }, 'a clock move failed')
        }
      })
      .finally(() => inFlight.delete(ended))
    inFlight.add(ended)
  }
  return {
    times,
    stopping: stopping.signal,
    hasEnded: async (move) => {
      let isAwaited = true
      follow(move, () => isAwaited)
      const answered = new AbortController()
      const late = pause(times.answerMilliseconds, false, { signal: answered.signal }).catch(() => false)
      try {
        const hasEnded = await Promise.race([move.then(() => true), late])
        isAwaited = hasEnded
        return hasEnded
      } finally {
        answered.abort()
      }
    },
    inBackground: (move) => follow(move, () => false),
    stop: async () => {
      stopping.abort()
      await Promise.all(inFlight)
    },
  }
}
