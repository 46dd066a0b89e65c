/** Lists the countries that money is paid to, and those that it is not. */
import type { CountryListed } from '../../contract/countries.ts'
import { countriesKnown } from '../countries/destinations/country-requirements.ts'
import { isExchanged } from './currencies-paid.ts'

/** By name. Currencies that nobody exchanges here are left out: no quote is given in them. */
export function listCountries(): CountryListed[] {
  return countriesKnown.map(({ country, name, currencies, supported }) => ({
    country,
    name,
    currencies: currencies.filter(isExchanged),
    supported,
  }))
}
