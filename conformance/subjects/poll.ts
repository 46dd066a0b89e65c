/** Repeats a request until its response is as expected, since servers learn of what happens at a bank with a delay. */
import { setTimeout as delay } from 'node:timers/promises'
import type { CheckContext } from '../check.ts'

const FIRST_PAUSE_MILLISECONDS = 50
const PAUSE_MILLISECONDS_MAX = 2_000

/** The first value that is as expected, or the last one when patience is at its end. */
export async function pollUntil<Value>(
  { target }: Pick<CheckContext, 'target'>,
  read: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
): Promise<Value> {
  const deadline = performance.now() + target.patienceSeconds * 1_000
  let pause = FIRST_PAUSE_MILLISECONDS
  let value = await read()
  while (!isExpected(value) && performance.now() < deadline) {
    await delay(pause)
    pause = Math.min(pause * 2, PAUSE_MILLISECONDS_MAX)
    value = await read()
  }
  return value
}
