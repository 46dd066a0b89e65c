/** Validates Danish CVR numbers: eight digits, not beginning with 0, whose weighted sum is a multiple of 11. */
import { modulus11 } from '../check-digits.ts'
import type { CheckResult } from '../country.ts'

const WEIGHTS = [2, 7, 6, 5, 4, 3, 2, 1]

/** Accepts `25 99 21 80`, also in the format of the VAT register (`DK25992180`). */
export function checkDanishOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const organisationNumber = text.replace(/[ .]/g, '').replace(/^DK-?(?=\d)/i, '')
  if (!/^[1-9][0-9]{7}$/.test(organisationNumber)) {
    return { ok: false, reason: 'is not eight digits beginning with 1 to 9' }
  }
  return modulus11(organisationNumber, WEIGHTS) === 0
    ? { ok: true, organisationNumber }
    : { ok: false, reason: 'has a wrong check digit (modulus 11)' }
}
