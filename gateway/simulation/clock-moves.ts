/** Runs clock moves in the background after their response, until they end or their process stops. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/observability/log.ts'

/** The clock moves of one process. */
export type ClockMoves = {
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

/** Half of the callers' timeout. */
export const CLOCK_ANSWER_MILLISECONDS = 5_000

/** None is in flight. */
export function openClockMoves(log: Log, answerMilliseconds: number): ClockMoves {
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
