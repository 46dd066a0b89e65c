/** Norwegian account numbers: eleven digits, of which the last is a modulus 11 check digit. */
import { modulus11 } from '../check-digits.ts'
import type { Checked } from '../country.ts'
import { withoutSeparators } from '../separators.ts'

const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
const DIGITS = 11
/** Digits 5 and 6 are the account group: 00 is for settlement between banks, 90 and above for a bank's own accounts. */
const NOT_A_CUSTOMERS = /^[0-9]{4}(00|9[0-9])/

/** Checks a number written as `8601 11 17947`, `8601.11.17947` or without separators. */
export function checkNorwegianAccountNumber(text: string): Checked<'bban'> {
  const bban = withoutSeparators(text)
  if (!/^[0-9]+$/.test(bban)) {
    return no('holds something other than digits')
  }
  if (bban.length !== DIGITS) {
    return no(`has ${bban.length} digits; a Norwegian one has ${DIGITS}`)
  }
  if (bban.startsWith('0000')) {
    return no('begins with 0000, which is no bank')
  }
  // A check of 10 fits no digit, so such a number never equals its last digit and is refused here too.
  if (modulus11(bban.slice(0, -1), WEIGHTS) !== Number(bban.at(-1))) {
    return no('has a wrong check digit (modulus 11)')
  }
  return NOT_A_CUSTOMERS.test(bban)
    ? { ok: true, bban, warning: 'is of a group that banks keep for themselves, not for customers' }
    : { ok: true, bban }
}

function no(reason: string): Checked<'bban'> {
  return { ok: false, reason }
}
