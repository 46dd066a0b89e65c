/** Lists the codes by which payments abroad are reported to the authorities of the payer's country. */
import type { RegulatoryCodes } from '../../../contract/countries.ts'
import { reportingTerms } from '../../countries/destinations/regulatory-reporting.ts'
import { COUNTRIES_SERVED } from '../../countries/served-countries.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { printMoney } from '../../platform/money.ts'

/** No codes where the country wants none; refused where no payment begins. */
export function listRegulatoryCodes(country: string): RegulatoryCodes {
  const countryCode = country.toUpperCase()
  const terms = reportingTerms(countryCode)
  if (terms !== undefined) {
    return {
      countryCode,
      threshold: printMoney(terms.threshold),
      informationMaxLength: terms.informationMax,
      codes: terms.codes.map(({ code, description, local }) => ({ code, description, localDescription: local })),
    }
  }
  if (COUNTRIES_SERVED.includes(countryCode)) {
    return { countryCode, informationMaxLength: 0, codes: [] }
  }
  throw refuse('not-found', 'No payments begin in this country')
}
