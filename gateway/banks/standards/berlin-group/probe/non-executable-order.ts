/** Builds orders that can never be executed, because the debtor account has invalid check digits. */
import type { CountryRules } from '../../../../countries/country.ts'
import { countryRules } from '../../../../countries/served-countries.ts'
import type { Dialect } from '../dialect.ts'

const DAYS_AHEAD = 7

/** An order with only the fields that every bank requires. */
export function nonExecutableOrder(
  countryCode: string,
  accounts: Dialect['accounts'],
  today: Temporal.PlainDate,
): Record<string, unknown> {
  const { currency, probeNumbers } = probedCountry(countryCode)
  return {
    debtorAccount: { [accounts]: probeNumbers.impossibleAccount[accounts] },
    instructedAmount: { currency, amount: '1.00' },
    creditorAccount: { [accounts]: probeNumbers.exampleAccount[accounts] },
    creditorName: 'Havn probe',
    requestedExecutionDate: today.add({ days: DAYS_AHEAD }).toString(),
  }
}

/** The rules of a country. Throws for countries that we do not serve. */
export function probedCountry(countryCode: string): CountryRules {
  const rules = countryRules(countryCode)
  if (rules === undefined) {
    throw new Error(`Banks of ${countryCode} cannot be probed: no account there is known to be impossible`)
  }
  return rules
}

/** The same as a bulk of one payment. */
export function nonExecutableBulk(order: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { debtorAccount, requestedExecutionDate, ...payment } = order
  return { debtorAccount, requestedExecutionDate, payments: [payment] }
}
