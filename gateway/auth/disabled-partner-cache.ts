/** Caches which partners are disabled, for less than five seconds. */
import type { Context } from '../context.ts'
import { listDisabledPartners } from '../partners/partner-store.ts'
import { monotonicMilliseconds } from '../platform/clock.ts'

/** Whether a partner is disabled; synchronous while cached. */
export type IsPartnerDisabled = (partnerId: string) => boolean | Promise<boolean>

/** As for requests, five seconds are the limit. */
const CACHE_TTL_MILLISECONDS = 4_000

/** Creates the cache of a process. */
export function openDisabledPartnerCache({ database }: Context): IsPartnerDisabled {
  let latest: { readonly at: number; readonly ids: Ids | Promise<Ids> } | undefined
  const read = (at: number) => {
    const ids = listDisabledPartners(database)
    const entry = { at, ids }
    const replaceBy = (loaded: typeof latest) => {
      latest = latest === entry ? loaded : latest
    }
    ids.then(
      (loaded) => replaceBy({ at, ids: loaded }),
      () => replaceBy(undefined),
    )
    latest = entry
    return entry
  }
  return (partnerId) => {
    const now = monotonicMilliseconds()
    const { ids } = latest !== undefined && now - latest.at < CACHE_TTL_MILLISECONDS ? latest : read(now)
    return ids instanceof Promise ? ids.then((loaded) => loaded.has(partnerId)) : ids.has(partnerId)
  }
}

type Ids = ReadonlySet<string>
