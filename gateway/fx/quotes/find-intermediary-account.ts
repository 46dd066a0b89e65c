/** Finds the provider's account to which the cost of an exchange is paid, with a cache of a few minutes. */
import type { Clock } from '../../platform/clock.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { FxProvider } from '../providers/fx-provider.ts'

type Place = Parameters<FxProvider['intermediaryAccount']>[0]

/** Accounts rarely change; every quote and validation needs one, and provider calls are rate limited. */
const CACHE_DURATION = { minutes: 5 }

type CachedAccount = { readonly account: IntermediaryAccount; readonly until: Temporal.Instant }
const cacheByProvider = new WeakMap<FxProvider, Map<string, CachedAccount>>()

/** Null when the provider has no such account. Throws `FxProviderError`. */
export async function findIntermediaryAccount(
  { clock }: { readonly clock: Pick<Clock, 'real'> },
  provider: FxProvider,
  { currency, country }: Place,
): Promise<IntermediaryAccount | null> {
  const cacheByPlace = cacheByProvider.get(provider) ?? new Map<string, CachedAccount>()
  cacheByProvider.set(provider, cacheByPlace)
  const place = `${currency} ${country}`
  const cached = cacheByPlace.get(place)
  const now = clock.real()
  if (cached !== undefined && Temporal.Instant.compare(now, cached.until) < 0) {
    return cached.account
  }
  const account = await provider.intermediaryAccount({ currency, country })
  if (account !== null) {
    cacheByPlace.set(place, { account, until: now.add(CACHE_DURATION) })
  }
  return account
}
