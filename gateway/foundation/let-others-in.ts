/** Does the same with very many things in a way that lets others have their turn in between. */
import { setImmediate } from 'node:timers/promises'
import { steadyMilliseconds } from './clock.ts'

/** A request of somebody else takes several turns, a statement of the database each, and waits so long in every one. */
const AT_A_TIME_MILLISECONDS = 0.4
/** Looking at the clock costs as much as a part of the work. */
const THINGS_PER_LOOK = 4

/** The results in the order of the things. */
export async function mapLettingOthersIn<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing, position: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let begun = steadyMilliseconds()
  for (const thing of things) {
    results.push(work(thing, results.length))
    if (results.length % THINGS_PER_LOOK === 0 && steadyMilliseconds() - begun >= AT_A_TIME_MILLISECONDS) {
      await setImmediate()
      begun = steadyMilliseconds()
    }
  }
  return results
}
