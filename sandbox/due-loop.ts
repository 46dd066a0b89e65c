/** Looks for what falls due in a program of the sandbox, and keeps its books to one at a time. */
import type { Log } from '../gateway/foundation/log.ts'

/** One at a time. */
export type Queue = {
  /** Runs something while nothing else of the queue does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** Settles when all that was begun has ended, however it did. */
  idle(): Promise<void>
}

/** How long something due may wait for the program to look. */
const POLL_MILLISECONDS = 200

/** Nothing is in it at first. */
export function openQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    alone: (work) => {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
    idle: async () => void (await last),
  }
}

/** Looks again and again, one look at a time, until the answered function is called; a look that fails is logged. */
export function keepLooking(look: () => Promise<void>, log: Log): () => void {
  let isLooking = false
  const lookOnce = async () => {
    if (!isLooking) {
      isLooking = true
      await look().catch((error: unknown) => log.error({ err: error }, 'the sweep failed and goes on'))
      isLooking = false
    }
  }
  const timer = setInterval(lookOnce, POLL_MILLISECONDS)
  return () => clearInterval(timer)
}
