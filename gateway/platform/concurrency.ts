/** Keeps work from blocking the rest: long work yields to the event loop, of many calls only so many are in flight, and what several callers need is done once. */
import { setImmediate } from 'node:timers/promises'
import { monotonicMilliseconds } from './clock.ts'

/** Any other request takes several turns of the event loop, one per database statement, and waits so long in each. */
const TIME_SLICE_MILLISECONDS = 0.4
/** Reading the clock costs as much as a unit of the work. */
const ITEMS_PER_CLOCK_CHECK = 4

/** A generator of work that yields wherever the event loop may run. */
export async function runYieldingToEventLoop<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let begun = monotonicMilliseconds()
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) {
      return step.value
    }
    if (monotonicMilliseconds() - begun >= TIME_SLICE_MILLISECONDS) {
      await setImmediate()
      begun = monotonicMilliseconds()
    }
  }
}

/** Maps a very large list with yields to the event loop: the results in their order. */
export async function mapYieldingToEventLoop<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing, position: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let begun = monotonicMilliseconds()
  for (const thing of things) {
    results.push(work(thing, results.length))
    if (results.length % ITEMS_PER_CLOCK_CHECK === 0 && monotonicMilliseconds() - begun >= TIME_SLICE_MILLISECONDS) {
      await setImmediate()
      begun = monotonicMilliseconds()
    }
  }
  return results
}

/**
 * The results in the order of the items. After a failure no further item is started; items in flight are awaited, and
 * the error of the first item that failed is thrown.
 */
export async function mapWithConcurrency<Thing, Result>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>()
  const failures = new Map<number, unknown>()
  const queue = things.entries()
  const runWorker = async () => {
    for (const [n, thing] of queue) {
      if (failures.size > 0) {
        return
      }
      try {
        results.set(n, await work(thing))
      } catch (error) {
        failures.set(n, error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, runWorker))
  if (failures.size > 0) {
    throw failures.get(Math.min(...failures.keys()))
  }
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result)
}

export type InFlightCounter = {
  begin(): void
  end(): void
  count(): number
  /** Resolves when nothing is in flight; at once when nothing was. */
  none(): Promise<void>
}

/** A counter instead of a set of promises: thousands begin and end in a second, and each promise would cost memory. */
export function createInFlightCounter(): InFlightCounter {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin: () => {
      count += 1
    },
    end: () => {
      count -= 1
      if (count === 0) {
        const waiters = waiting
        waiting = []
        for (const notify of waiters) {
          notify()
        }
      }
    },
    count: () => count,
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/**
 * Does the work at the first call, and again at the first call after so long; all calls between share its result. Work
 * that failed is repeated at the next call.
 */
export function sharedResult<Result>(
  work: () => Promise<Result>,
  milliseconds = Number.POSITIVE_INFINITY,
): () => Promise<Result> {
  let latest: { readonly begunAt: number; readonly result: Promise<Result> } | undefined
  return () => {
    const now = monotonicMilliseconds()
    if (latest === undefined || now - latest.begunAt >= milliseconds) {
      const begun = { begunAt: now, result: work() }
      latest = begun
      begun.result.catch(() => {
        latest = latest === begun ? undefined : latest
      })
    }
    return latest.result
  }
}
