/** Runs moves of the clock after their answers, until they have ended or their process stops. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/observability/log.ts'

/** The moves of one process. */
export type ClockMoves = {
  /** Aborted when a move is to end where it is. */
  readonly stopping: AbortSignal
  /** Waits for a move as long as its answer may take; false when it continues. Throws what it throws until then. */
  hasEnded(move: Promise<void>): Promise<boolean>
  /** Runs a move to which no request waits for an answer. */
  inBackground(move: Promise<void>): void
  /** Stops the move that is in flight, and waits until it has. */
  stop(): Promise<void>
}

/** Half of what callers have. */
export const CLOCK_ANSWER_MILLISECONDS = 5_000

/** None is in flight. */
export function openClockMoves(log: Log, answerMilliseconds: number): ClockMoves {
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  const follow = (move: Promise<void>, isAwaited: () => boolean) => {
    const ended = move
      .catch((error: unknown) => {
        if (!(isAwaited() || stopping.signal.aborted)) {
          log.error({ error }, 'a move of the clock failed')
        }
      })
      .finally(() => inFlight.delete(ended))
    inFlight.add(ended)
  }
  return {
    stopping: stopping.signal,
    hasEnded: async (move) => {
      let isAwaited = true
      follow(move, () => isAwaited)
      const answered = new AbortController()
      const late = pause(answerMilliseconds, false, { signal: answered.signal }).catch(() => false)
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
