/** Finds the intermediary account of a quote, and renders it. */

import type { QuoteAccount } from '../../../contract/fx/fx-operations.ts'
import { bbanOf, checkAccountNumber, clearingCodeOf, ibanOf } from '../../countries/account-number.ts'
import type { Clock } from '../../platform/clock.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { FxProvider } from '../providers/fx-provider.ts'

type Place = Parameters<FxProvider['intermediaryAccount']>[0]

/** Accounts rarely change; every quote and validation needs one, and provider calls are rate limited. */
const CACHE_DURATION = { minutes: 5 }

type CachedAccount = { readonly account: IntermediaryAccount; readonly until: Temporal.Instant }
const cacheByProvider = new WeakMap<FxProvider, Map<string, CachedAccount>>()

/** Null when the provider has no such account, or none that a domestic order can pay to. Throws `FxProviderError`. */
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
  if (account === null || intermediaryAccountNumber(account) === undefined) {
    return null
  }
  cacheByPlace.set(place, { account, until: now.add(CACHE_DURATION) })
  return account
}

/** The domestic number, whichever form the provider uses; undefined where an IBAN does not contain it. */
export function intermediaryAccountNumber({ country, bban, iban }: IntermediaryAccount): string | undefined {
  const checks = [
    bban === null ? undefined : checkAccountNumber(country, bban),
    iban === null ? undefined : bbanOf(iban),
  ]
  return checks.find((checked) => checked?.ok === true)?.bban
}

/** Placeholder for parts of the address that the provider does not give. */
const UNKNOWN = '-'

/** A missing IBAN or BBAN is derived from the other one, a missing clearing code from the BBAN. */
export function intermediaryAccountResponse(intermediary: IntermediaryAccount): QuoteAccount {
  const { country, iban, bban, bic, clearingCode, holder } = intermediary
  const domestic = bban ?? intermediaryAccountNumber(intermediary) ?? ''
  const clearing = clearingCode ?? clearingCodeOf(country, domestic)
  return {
    account: {
      iban: iban ?? (bban === null ? '' : (ibanOf(country, bban) ?? '')),
      bban: domestic,
      bic: bic ?? '',
      ...(clearing === undefined ? {} : { clearingCode: clearing }),
    },
    contactInformation: {
      name: holder.name,
      address: {
        ...streetOf(holder.address.street ?? ''),
        city: holder.address.city ?? UNKNOWN,
        postCode: holder.address.postCode ?? UNKNOWN,
        country: holder.address.country ?? country,
      },
    },
  }
}

/** Providers write the building number before or after the street. */
function streetOf(street: string): { readonly streetName: string; readonly buildingNumber: string } {
  const ahead = /^([0-9]+[A-Za-z]?)[ ,]+([^ ,].*)$/.exec(street)
  const behind = /^(.*[^ ,])[ ,]+([0-9]+ ?[A-Za-z]?)$/.exec(street)
  const [streetName = street, buildingNumber = ''] = ahead ? [ahead[2], ahead[1]] : behind ? behind.slice(1) : []
  return { streetName: streetName || UNKNOWN, buildingNumber: buildingNumber || UNKNOWN }
}
