/** Bounds what a map remembers. */

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
