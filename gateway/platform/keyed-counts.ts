/** Counts what is in flight, in all and by key, and keeps the most recent entries of a map. */

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

export type KeyedCounts = Map<string, number>

/** Changes the count of a key. */
export function adjustCount(counts: KeyedCounts, key: string, change: number): void {
  const counted = (counts.get(key) ?? 0) + change
  if (counted === 0) {
    counts.delete(key)
  } else {
    counts.set(key, counted)
  }
}

/** Sets the value of a key as the most recent one; beyond the maximum, the least recent key is deleted. */
export function setMostRecent<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  entriesMax: number,
): void {
  map.delete(key)
  map.set(key, value)
  const [leastRecent] = map.keys()
  if (map.size > entriesMax && leastRecent !== undefined) {
    map.delete(leastRecent)
  }
}
