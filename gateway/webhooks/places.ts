/** Turns away whoever comes while as many as may be are under way for a key; nobody waits. */
import { type Counts, count } from '../platform/keyed-counts.ts'

/** Whoever got places must leave them. */
export type LeavePlaces = () => void

/** A place for each key at once, or none at all: undefined. */
export type TakePlaces = (keys: readonly PlaceKey[]) => LeavePlaces | undefined

export type PlaceKey = { readonly key: string; readonly most: number }

export function openPlaces(): TakePlaces {
  const takenByKey: Counts = new Map()
  return (keys) => {
    if (keys.some(({ key, most }) => (takenByKey.get(key) ?? 0) >= most)) {
      return undefined
    }
    for (const { key } of keys) {
      count(takenByKey, key, 1)
    }
    return () => {
      for (const { key } of keys) {
        count(takenByKey, key, -1)
      }
    }
  }
}
