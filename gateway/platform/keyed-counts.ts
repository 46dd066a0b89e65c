/** Counts by key; what has come down to nothing is forgotten. */

export type Counts = Map<string, number>

/** Counts one more of a key, or one fewer. */
export function count(counts: Counts, key: string, change: 1 | -1): void {
  const counted = (counts.get(key) ?? 0) + change
  if (counted === 0) {
    counts.delete(key)
  } else {
    counts.set(key, counted)
  }
}
