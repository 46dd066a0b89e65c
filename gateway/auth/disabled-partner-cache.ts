/** Caches which partners are disabled, for less than five seconds. */
import type { Context } from '../context.ts'
import { listDisabledPartners } from '../partners/partner-store.ts'
import { monotonicMilliseconds } from '../platform/clock.ts'

/** As for requests, five seconds are the limit. */
const CACHE_TTL_MILLISECONDS = 4_000

/** Creates the cache of a process: the function that says whether a partner is disabled. */
export function openDisabledPartnerCache({ database }: Context): (partnerId: string) => Promise<boolean> {
  let latest: { readonly at: number; readonly ids: Promise<ReadonlySet<string>> } | undefined
  return async (partnerId) => {
    const now = monotonicMilliseconds()
    if (latest === undefined || now - latest.at >= CACHE_TTL_MILLISECONDS) {
      const read = { at: now, ids: listDisabledPartners(database) }
      latest = read
      read.ids.catch(() => {
        latest = latest === read ? undefined : latest
      })
    }
    return (await latest.ids).has(partnerId)
  }
}
