/** Maps items with an asynchronous function and limited concurrency. */

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
