/** Validates Norwegian organisation numbers: nine digits beginning with 8 or 9, the last a modulus 11 check digit. */
import { modulus11 } from '../check-digits.ts'
import type { CheckResult } from '../country.ts'

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2]

/** Accepts numbers with or without spaces, also in the format of the VAT register (`NO 923 609 016 MVA`). */
export function checkNorwegianOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const organisationNumber = text
    .replace(/[ .]/g, '')
    .replace(/^NO(?=\d)/i, '')
    .replace(/MVA$/i, '')
  if (!/^[89][0-9]{8}$/.test(organisationNumber)) {
    return { ok: false, reason: 'is not nine digits beginning with 8 or 9' }
  }
  return modulus11(organisationNumber.slice(0, -1), WEIGHTS) === Number(organisationNumber.at(-1))
    ? { ok: true, organisationNumber }
    : { ok: false, reason: 'has a wrong check digit (modulus 11)' }
}
