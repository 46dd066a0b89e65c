/** Repeats an assertion in tests until it holds, with one generous time limit. */
import { setTimeout as pause } from 'node:timers/promises'

/** Passing tests never take as long; a failing one shows the last error. */
const PATIENCE_MILLISECONDS = 60_000
/** What holds soon is seen soon; looking often at what takes seconds would take the time of the other tests. */
const PAUSE_MILLISECONDS = { first: 20, growth: 1.3, longest: 250 }

/** Repeats `look` until it does not throw, and returns its result. */
export async function eventually<Found>(look: () => Found | Promise<Found>): Promise<Found> {
  const end = performance.now() + PATIENCE_MILLISECONDS
  const { first, growth, longest } = PAUSE_MILLISECONDS
  for (let milliseconds = first; ; milliseconds = Math.min(milliseconds * growth, longest)) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > end) {
        throw error
      }
    }
    await pause(milliseconds)
  }
}
