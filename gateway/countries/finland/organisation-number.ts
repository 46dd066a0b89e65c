/** Validates Finnish business ids (Y-tunnus): seven digits, a hyphen and a modulus 11 check digit. */
import { modulus11 } from '../check-digits.ts'
import type { CheckResult } from '../country.ts'

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2]

/** Accepts `2077474-0`, also without the hyphen and in the format of the VAT register (`FI20774740`). */
export function checkFinnishOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const written = text.replaceAll(' ', '').replace(/^FI-?(?=\d)/i, '')
  const [, digits, check] = /^([0-9]{7})-?([0-9])$/.exec(written) ?? []
  if (digits === undefined || check === undefined) {
    return { ok: false, reason: 'is not seven digits, a hyphen and a check digit, as in 2077474-0' }
  }
  // The check value 10 equals no digit: such ids are not issued.
  return modulus11(digits, WEIGHTS) === Number(check)
    ? { ok: true, organisationNumber: `${digits}-${check}` }
    : { ok: false, reason: 'has a wrong check digit (modulus 11)' }
}
