/** Does long work in a way that lets others have their turn in between. */
import { setImmediate } from 'node:timers/promises'
import { steadyMilliseconds } from './clock.ts'

/** A request of somebody else takes several turns, a statement of the database each, and waits so long in every one. */
const AT_A_TIME_MILLISECONDS = 0.4
/** Looking at the clock costs as much as a part of the work. */
const THINGS_PER_LOOK = 4

/** What work gives that yields wherever others may have their turn. */
export async function runLettingOthersIn<Result>(work: Generator<void, Result>): Promise<Result> {
  let begun = steadyMilliseconds()
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) {
      return step.value
    }
    if (steadyMilliseconds() - begun >= AT_A_TIME_MILLISECONDS) {
      await setImmediate()
      begun = steadyMilliseconds()
    }
  }
}

/** The same done with very many things: the results in their order. */
export async function mapLettingOthersIn<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing, position: number) => Result,
): Promise<Result[]> {
  return await runLettingOthersIn(mapInSteps(things, work))
}

function* mapInSteps<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing, position: number) => Result,
): Generator<void, Result[]> {
  const results: Result[] = []
  for (const thing of things) {
    results.push(work(thing, results.length))
    if (results.length % THINGS_PER_LOOK === 0) {
      yield
    }
  }
  return results
}
