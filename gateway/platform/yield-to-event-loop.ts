/** Runs long work and yields to the event loop in between. */
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
  return await runYieldingToEventLoop(mapInSteps(things, work))
}

function* mapInSteps<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing, position: number) => Result,
): Generator<void, Result[]> {
  const results: Result[] = []
  for (const thing of things) {
    results.push(work(thing, results.length))
    if (results.length % ITEMS_PER_CLOCK_CHECK === 0) {
      yield
    }
  }
  return results
}
