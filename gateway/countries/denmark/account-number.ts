/** Validates Danish account numbers: four digits of registration number and up to ten of account number. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import { withoutSeparators, withPlainSeparators } from '../../platform/copied-text.ts'
import { bankCodeTable } from '../bank-codes.ts'
import type { AccountBank, CheckResult, DomesticRail } from '../country.ts'
import { DIGIT_GROUPS, separatorFault } from '../separators.ts'

/** Leading digits of the registration number, which identifies the bank. */
const REGISTRATION_DIGITS = 4
const ACCOUNT_DIGITS = 10
const DIGITS_MAX = REGISTRATION_DIGITS + ACCOUNT_DIGITS
const PRINTED = new RegExp(`^[0-9]+$|^[0-9]{1,${REGISTRATION_DIGITS}}[ -]${DIGIT_GROUPS}$`)
/** Giro numbers of eight digits begin with others. */
const CREDITOR_NUMBER = /^8\d{7}$/
const bankOfRegistration = bankCodeTable(nordicBanks.DK)

/** Accepts `0040 0440116243` or `0040-440 116 243`; the account number is padded with zeros to ten digits. */
export function checkDanishAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  const digits = withoutSeparators(text)
  if (!PRINTED.test(written)) {
    return invalid(separatorFault(text, '0040 0440116243 or 0040-0440116243'))
  }
  if (digits.length <= REGISTRATION_DIGITS || digits.length > DIGITS_MAX) {
    return invalid(
      `has ${digits.length} digits; a Danish one has 4 of registration number and 1 to 10 of account number`,
    )
  }
  const [first = ''] = written.split(/[ -]/)
  // Spreadsheets drop leading zeros; if the digits were read as they are, the payment would go to another bank.
  if (first.length < REGISTRATION_DIGITS) {
    return invalid(`begins with ${first}, where a registration number has four digits, leading zeros included`)
  }
  if (/^0+$/.test(digits.slice(REGISTRATION_DIGITS))) {
    return invalid('has only zeros after the registration number')
  }
  const registration = digits.slice(0, REGISTRATION_DIGITS)
  const bban = registration + digits.slice(REGISTRATION_DIGITS).padStart(ACCOUNT_DIGITS, '0')
  return bankOfDanishAccount(bban) === undefined
    ? {
        ok: true,
        bban,
        warning: `begins with ${registration}, a registration number that is not in our table of Danish banks`,
      }
    : { ok: true, bban }
}

/** `0040 0440116243`; the numbers of payment forms with their names: `Kreditornummer 81234567`, `Girokonto 1234567`. */
export function formatDanishAccountNumber(bban: string): string {
  if (/^\d{7,8}$/.test(bban)) {
    return `${CREDITOR_NUMBER.test(bban) ? 'Kreditornummer' : 'Girokonto'} ${bban}`
  }
  return bban.replace(/^(\d{4})(\d{10})$/, '$1 $2')
}

/** Creditor and giro numbers on payment forms have at most eight digits. */
export function railOfDanishCreditor(bban: string): DomesticRail {
  return bban.length < DIGITS_MAX ? 'payment-form' : 'account'
}

/** The registration number of a normalised account number. */
export function registrationNumberOf(bban: string): string {
  return bban.slice(0, REGISTRATION_DIGITS)
}

/** The bank of the registration number. */
export function bankOfDanishAccount(bban: string): AccountBank | undefined {
  return bankOfRegistration(registrationNumberOf(bban))
}

function invalid(reason: string): CheckResult<'bban'> {
  return { ok: false, reason }
}
