/** Counts by key; keys with a count of zero are removed. */

export type KeyedCounts = Map<string, number>

/** Increments or decrements the count of a key. */
export function adjustCount(counts: KeyedCounts, key: string, change: 1 | -1): void {
  const counted = (counts.get(key) ?? 0) + change
  if (counted === 0) {
    counts.delete(key)
  } else {
    counts.set(key, counted)
  }
}
