/** Limits requests in flight per key; excess requests are rejected without waiting. */
import { adjustCount, type KeyedCounts } from '../../platform/keyed-counts.ts'

/** The caller must release the slots. */
export type ReleaseSlots = () => void

/** Acquires one slot for each key, or none at all and returns undefined. */
export type AcquireSlots = (keys: readonly SlotKey[]) => ReleaseSlots | undefined

export type SlotKey = { readonly key: string; readonly most: number }

export function openInFlightLimit(): AcquireSlots {
  const inFlightByKey: KeyedCounts = new Map()
  return (keys) => {
    if (keys.some(({ key, most }) => (inFlightByKey.get(key) ?? 0) >= most)) {
      return undefined
    }
    for (const { key } of keys) {
      adjustCount(inFlightByKey, key, 1)
    }
    return () => {
      for (const { key } of keys) {
        adjustCount(inFlightByKey, key, -1)
      }
    }
  }
}
