/** Starts something on schedule. */
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Yields the numbers from 0 on at an even rate, whatever is done with them: a slow response delays no other (no coordinated
 * omission).
 */
export async function* atEvenRate(count: number, perSecond: number): AsyncGenerator<number, void, undefined> {
  const began = performance.now()
  for (let index = 0; index < count; index += 1) {
    await pause(Math.max(0, began + (index * 1000) / perSecond - performance.now()))
    yield index
  }
}
