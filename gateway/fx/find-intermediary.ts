/** Finds the account of a provider that the cost of an exchange is paid to; one that was found is not asked for each time. */
import type { Clock } from '../platform/clock.ts'
import type { FxProvider } from './provider/fx-provider.ts'
import type { IntermediaryAccount } from './providers/beneficiary.ts'

type Place = Parameters<FxProvider['intermediaryAccount']>[0]

/** Accounts change in years; every quote and every validation wants one, and calls to the provider are few. */
const KEPT = { minutes: 5 }

type Kept = { readonly account: IntermediaryAccount; readonly until: Temporal.Instant }
const keptByProvider = new WeakMap<FxProvider, Map<string, Kept>>()

/** Null when the provider has none there; refuses as the provider does. */
export async function findIntermediary(
  { clock }: { readonly clock: Pick<Clock, 'real'> },
  provider: FxProvider,
  { currency, country }: Place,
): Promise<IntermediaryAccount | null> {
  const keptByPlace = keptByProvider.get(provider) ?? new Map<string, Kept>()
  keptByProvider.set(provider, keptByPlace)
  const place = `${currency} ${country}`
  const kept = keptByPlace.get(place)
  const now = clock.real()
  if (kept !== undefined && Temporal.Instant.compare(now, kept.until) < 0) {
    return kept.account
  }
  const account = await provider.intermediaryAccount({ currency, country })
  if (account !== null) {
    keptByPlace.set(place, { account, until: now.add(KEPT) })
  }
  return account
}
