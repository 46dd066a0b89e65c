/** Finnish account numbers: the fourteen digits of the IBAN, ending in a modulus 10 check digit. */
import { bankOfCode } from '../bank-codes.ts'
import { passesModulus10, passesModulus97 } from '../check-digits.ts'
import type { AccountBank, Checked } from '../country.ts'
import { withoutSeparators, withPlainSeparators } from '../separators.ts'

const DIGITS = 14
/** As printed before the IBAN came: six digits for the office, two to eight for the account. */
const PRINTED = /^([0-9]{6})-([0-9]{2,8})$/

/** Checks an IBAN, its fourteen digits, or the old printed form `123456-785`; kept as fourteen digits. */
export function checkFinnishAccountNumber(text: string): Checked<'bban'> {
  const plain = withoutSeparators(text).toUpperCase()
  if (!plain.startsWith('FI')) {
    return checkDigits(plain.length === DIGITS ? plain : fromPrinted(withPlainSeparators(text).replaceAll(' ', '')))
  }
  const isIban = /^FI[0-9]{16}$/.test(plain) && passesModulus97(plain)
  return isIban ? checkDigits(plain.slice(4)) : no('is not a Finnish IBAN: FI and 16 digits that pass modulus 97')
}

/** The bank by the first three digits. */
export function bankOfFinnishAccount(bban: string): AccountBank | undefined {
  return bankOfCode('FI', bban.slice(0, 3))
}

function checkDigits(bban: string): Checked<'bban'> {
  if (!/^[0-9]+$/.test(bban)) {
    return no('is neither an IBAN, nor 14 digits, nor written as 123456-785')
  }
  if (bban.length !== DIGITS) {
    return no(`has ${bban.length} digits; without FI a Finnish one has ${DIGITS}`)
  }
  if (!passesModulus10(bban)) {
    return no('has a wrong check digit (modulus 10)')
  }
  if (/^0+$/.test(bban)) {
    return no('has only zeros')
  }
  return bankOfFinnishAccount(bban) === undefined
    ? { ok: true, bban, warning: `begins with ${bban.slice(0, 3)}, which is not in the table of Finnish banks` }
    : { ok: true, bban }
}

/** The zeros that were not printed stood behind the seventh digit at banks 4, 5 and 6, elsewhere behind the sixth. */
function fromPrinted(written: string): string {
  const [, office, account] = PRINTED.exec(written) ?? []
  if (office === undefined || account === undefined) {
    return written
  }
  const before = /^[456]/.test(office) ? account.slice(0, 1) : ''
  return office + before + account.slice(before.length).padStart(DIGITS - office.length - before.length, '0')
}

function no(reason: string): Checked<'bban'> {
  return { ok: false, reason }
}
