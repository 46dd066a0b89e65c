/** Waits for a limited time: for what another process does, by reading it again and again, or for work that may not end. */
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMilliseconds } from './clock.ts'

/** How long to wait at most, and the pause between two reads. */
export type Waiting = { readonly withinMilliseconds: number; readonly everyMilliseconds: number }

/** Returns what was read last: it fulfils the condition, unless the time was over. */
export async function waitUntil<Read>(
  read: () => Promise<Read>,
  isFulfilled: (read: Read) => boolean,
  { withinMilliseconds, everyMilliseconds }: Waiting,
): Promise<Read> {
  const until = monotonicMilliseconds() + withinMilliseconds
  for (;;) {
    const found = await read()
    if (isFulfilled(found) || monotonicMilliseconds() >= until) {
      return found
    }
    await pause(everyMilliseconds)
  }
}

/** Awaits the work, and calls `onDeadline` when it has not ended by then. */
export async function withDeadline(
  work: Promise<void>,
  { milliseconds, onDeadline }: { readonly milliseconds: number; readonly onDeadline: () => void },
): Promise<void> {
  const deadline = setTimeout(onDeadline, milliseconds)
  try {
    await work
  } finally {
    clearTimeout(deadline)
  }
}

/** The result of what began already, which goes on; throws the error of `late` where there is none in time. */
export async function resultInTime<Result>(
  result: Promise<Result>,
  milliseconds: number,
  late: (milliseconds: number) => Error,
): Promise<Result> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late(milliseconds)), milliseconds)
  try {
    return await Promise.race([result, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
