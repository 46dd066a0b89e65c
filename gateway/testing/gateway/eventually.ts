/** Polls in tests until an assertion holds, with one generous time limit. */
import { vi } from 'vitest'

/** Passing tests never take as long; a failing one shows the last error. */
const PATIENCE_MILLISECONDS = 60_000
const LOOK_AGAIN_MILLISECONDS = 50

/** Repeats `look` until it does not throw, and returns its result. */
export async function eventually<Found>(look: () => Found | Promise<Found>): Promise<Found> {
  return await vi.waitFor(look, { timeout: PATIENCE_MILLISECONDS, interval: LOOK_AGAIN_MILLISECONDS })
}
