/** Does the same with many things, a few of them at a time. */

/**
 * The results in the order of the things. Once one has failed none is begun any more; what is under way is waited for, and
 * the failure of the first thing that failed is thrown.
 */
export async function fewAtATime<Thing, Result>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>()
  const failures = new Map<number, unknown>()
  const queue = things.entries()
  const takeTurns = async () => {
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
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, takeTurns))
  if (failures.size > 0) {
    throw failures.get(Math.min(...failures.keys()))
  }
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result)
}
