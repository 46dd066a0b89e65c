/** Lists destination countries, supported or not. */
import type { CountrySummary } from '../../../contract/countries.ts'
import { listedCountries } from '../../countries/destinations/requirements-table.ts'
import { currencyRules } from '../availability/currency-rules.ts'

/** Ordered by name; only currencies that can be exchanged. */
export function listCountries(): CountrySummary[] {
  return listedCountries.map(({ country, name, currencies, supported }) => ({
    country,
    name,
    currencies: currencies.filter((currency) => currencyRules(currency) !== undefined),
    supported,
  }))
}
