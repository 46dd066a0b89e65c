/** Distinguishes a second Ctrl-C from the first one, which npm and npx pass on although the terminal has sent it to their program. */
import { monotonicMilliseconds } from './clock.ts'

const SAME_SIGNAL_MILLISECONDS = 500

/** Called at each signal: whether it is another one than the first. */
export function secondSignal(now: () => number = monotonicMilliseconds): () => boolean {
  let firstAt: number | undefined
  return () => {
    const at = now()
    firstAt ??= at
    return at - firstAt > SAME_SIGNAL_MILLISECONDS
  }
}
