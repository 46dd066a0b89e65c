/** Lists the regulatory reporting codes for payments abroad from a country. */
import type { RegulatoryCodes } from '../../../contract/countries.ts'
import { reportingTerms } from '../../countries/regulatory-reporting.ts'
import { SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { formatMoney } from '../../platform/money.ts'

/** Empty where the country requires no codes. Throws `not-found` for a country that we do not serve. */
export function listRegulatoryCodes(country: string): RegulatoryCodes {
  const countryCode = country.toUpperCase()
  const terms = reportingTerms(countryCode)
  if (terms !== undefined) {
    return {
      countryCode,
      threshold: formatMoney(terms.threshold),
      informationMaxLength: terms.informationMax,
      codes: terms.codes.map(({ code, description, local }) => ({ code, description, localDescription: local })),
    }
  }
  if (SERVED_COUNTRIES.includes(countryCode)) {
    return { countryCode, informationMaxLength: 0, codes: [] }
  }
  throw apiError('not-found', 'Payments from this country are not supported')
}
