/** Reads which company a partner asks for: its country and its number, as a text or as a JSON number. */

import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { COUNTRIES_SERVED } from '../countries/served-countries.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'

export type CompanyAsked = { readonly country: string; readonly organizationNumber: string | number }

/** What is wrong with a country and a number, as far as their shapes are sound. */
export function companyProblems(asked: CompanyAsked, isSound: (path: string) => boolean): readonly Problem[] {
  if (!isSound('.country')) {
    return []
  }
  if (!COUNTRIES_SERVED.some((served) => served === asked.country)) {
    const reason = `must be one of ${COUNTRIES_SERVED.join(', ')}`
    return [{ code: 'InvalidRequest', reason, path: '.country' }]
  }
  if (!isSound('.organizationNumber')) {
    return []
  }
  const checked = checkOrganisationNumber(asked.country, String(asked.organizationNumber))
  return checked.ok
    ? []
    : [{ code: 'InvalidRequest', reason: `The organisation number ${checked.reason}`, path: '.organizationNumber' }]
}

/** The number as it is kept, once the rules have passed it. */
export function requireSoundNumber({ country, organizationNumber }: CompanyAsked): string {
  const checked = checkOrganisationNumber(country, String(organizationNumber))
  if (!checked.ok) {
    throw new Error(`An organisation number got past the rules: it ${checked.reason}`)
  }
  return checked.organisationNumber
}
