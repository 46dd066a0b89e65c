/** Waits in tests for what must come about, with more patience than any sound machine needs. */
import { vi } from 'vitest'

/** Nothing that is sound takes as long: what passes is not slower for it, and what fails says what was missing. */
const PATIENCE_MILLISECONDS = 60_000
const LOOK_AGAIN_MILLISECONDS = 50

/** Looks again and again until nothing is thrown any more, and answers what was found. */
export async function eventually<Found>(look: () => Found | Promise<Found>): Promise<Found> {
  return await vi.waitFor(look, { timeout: PATIENCE_MILLISECONDS, interval: LOOK_AGAIN_MILLISECONDS })
}
