/** Turns away whoever comes while as many as may be are under way for a key; nobody waits. */

/** Whoever got places must leave them. */
export type LeavePlaces = () => void

/** A place for each key at once, or none at all: undefined. */
export type TakePlaces = (keys: readonly PlaceKey[]) => LeavePlaces | undefined

export type PlaceKey = { readonly key: string; readonly most: number }

export function openPlaces(): TakePlaces {
  const takenByKey = new Map<string, number>()
  const change = (key: string, by: 1 | -1) => {
    const taken = (takenByKey.get(key) ?? 0) + by
    if (taken === 0) {
      takenByKey.delete(key)
    } else {
      takenByKey.set(key, taken)
    }
  }
  return (keys) => {
    if (keys.some(({ key, most }) => (takenByKey.get(key) ?? 0) >= most)) {
      return undefined
    }
    for (const { key } of keys) {
      change(key, 1)
    }
    return () => {
      for (const { key } of keys) {
        change(key, -1)
      }
    }
  }
}
