/** Validates Norwegian account numbers: eleven digits, of which the last is a modulus 11 check digit. */

import { withoutSeparators, withPlainSeparators } from '../../platform/copied-text.ts'
import { modulus11 } from '../check-digits.ts'
import { type CheckResult, invalid } from '../country.ts'
import { separatorFault } from '../separators.ts'

const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
const DIGITS = 11
/** Digits 5 and 6 are the account group: 00 is for settlement between banks, 90 and above for a bank's own accounts. */
const INTERNAL_ACCOUNT_GROUP = /^[0-9]{4}(00|9[0-9])/
/** Bank, group and customer, or the groups of four in which an IBAN is printed. A single point would be a decimal one. */
const PRINTED = /^([0-9]{4}[ -]?[0-9]{2}[ -]?[0-9]{5}|[0-9]{4}\.[0-9]{2}\.[0-9]{5}|[0-9]{4} [0-9]{4} [0-9]{3})$/

/** Accepts `8601 11 17947`, `8601.11.17947` or digits without separators. */
export function checkNorwegianAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  const bban = withoutSeparators(text).replaceAll('.', '')
  if (/^[0-9 -]+$/.test(written) && bban.length !== DIGITS) {
    return invalid(`has ${bban.length} digits; a Norwegian one has ${DIGITS}`)
  }
  if (!PRINTED.test(written)) {
    return invalid(separatorFault(text, '8601 11 17947 or 8601.11.17947'))
  }
  if (bban.startsWith('0000')) {
    return invalid('begins with 0000, which is not a bank')
  }
  // The check value 10 equals no digit, so such numbers are rejected here too.
  if (modulus11(bban.slice(0, -1), WEIGHTS) !== Number(bban.at(-1))) {
    return invalid('has a wrong check digit (modulus 11)')
  }
  return INTERNAL_ACCOUNT_GROUP.test(bban)
    ? { ok: true, bban, warning: 'belongs to a group that is reserved for banks, not customers' }
    : { ok: true, bban }
}

/** `8601.11.17947`. */
export function formatNorwegianAccountNumber(bban: string): string {
  return bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3')
}
