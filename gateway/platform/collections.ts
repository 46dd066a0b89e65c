/** Counts by key, keeps the most recent entries of a map, and leaves out fields without a value. */

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

/** The fields that have a value: optional fields of our answers are absent, not null. */
export function presentFields<Fields extends Readonly<Record<string, unknown>>>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(present) as { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> }
}
