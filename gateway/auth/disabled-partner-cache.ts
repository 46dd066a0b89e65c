/** Caches which partners are disabled, for less than five seconds. */
import type { Context } from '../context.ts'
import { listDisabledPartners } from '../partners/partner-store.ts'
import { sharedResult } from '../platform/concurrency.ts'

/** As for requests, five seconds are the limit. */
const CACHE_TTL_MILLISECONDS = 4_000

/** Creates the cache of a process: the function that says whether a partner is disabled. */
export function openDisabledPartnerCache({ database }: Context): (partnerId: string) => Promise<boolean> {
  const read = sharedResult(() => listDisabledPartners(database), CACHE_TTL_MILLISECONDS)
  return async (partnerId) => (await read()).has(partnerId)
}
