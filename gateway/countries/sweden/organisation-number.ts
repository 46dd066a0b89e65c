/** Swedish organisation numbers: ten digits ending in a modulus 10 check digit; sole traders use their personal number. */
import { passesModulus10 } from '../check-digits.ts'
import type { Checked } from '../country.ts'

/** Legal persons have 2 or more in third place, where a personal number has the tens of its month. */
const LEGAL_PERSON = /^[0-9]{2}[2-9]/
/** Month, then day; coordination numbers add 60 to the day. */
const PERSON = /^[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01]|6[1-9]|[78][0-9]|9[01])/

/** Checks `556047-3521`, the VAT form `SE556047352101`, and both with the century or 16 in front; kept as ten digits. */
export function checkSwedishOrganisationNumber(text: string): Checked<'organisationNumber'> {
  const written = text.replaceAll(' ', '').replace(/^SE([0-9]{6}-?[0-9]{4})(01)?$/i, '$1')
  const [, start, end] = /^(?:16|18|19|20)?([0-9]{6})[-+]?([0-9]{4})$/.exec(written) ?? []
  if (start === undefined || end === undefined) {
    return no('is not ten digits, as in 556047-3521')
  }
  if (!LEGAL_PERSON.test(start) && !PERSON.test(start)) {
    return no('is neither of a company (third digit 2 or more) nor a personal number (a birth date)')
  }
  return passesModulus10(start + end)
    ? { ok: true, organisationNumber: start + end }
    : no('has a wrong check digit (modulus 10)')
}

function no(reason: string): Checked<'organisationNumber'> {
  return { ok: false, reason }
}
