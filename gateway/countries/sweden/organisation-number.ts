/** Validates Swedish organisation numbers: ten digits, modulus 10; sole traders use their personal number. */
import { passesModulus10 } from '../check-digits.ts'
import type { CheckResult } from '../country.ts'

/** The third digit is 2 or more for legal persons; in a personal number it is the first digit of the month. */
const LEGAL_PERSON = /^[0-9]{2}[2-9]/
/** Month, then day; coordination numbers add 60 to the day. */
const PERSON = /^[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01]|6[1-9]|[78][0-9]|9[01])/

/** Accepts `556047-3521`, the VAT format `SE556047352101`, and a leading century or 16; normalised to ten digits. */
export function checkSwedishOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const written = text.replaceAll(' ', '').replace(/^SE([0-9]{6}-?[0-9]{4})(01)?$/i, '$1')
  const [, start, end] = /^(?:16|18|19|20)?([0-9]{6})[-+]?([0-9]{4})$/.exec(written) ?? []
  if (start === undefined || end === undefined) {
    return invalid('is not ten digits, as in 556047-3521')
  }
  if (!LEGAL_PERSON.test(start) && !PERSON.test(start)) {
    return invalid('is neither of a company (third digit 2 or more) nor a personal number (a birth date)')
  }
  return passesModulus10(start + end)
    ? { ok: true, organisationNumber: start + end }
    : invalid('has a wrong check digit (modulus 10)')
}

function invalid(reason: string): CheckResult<'organisationNumber'> {
  return { ok: false, reason }
}
