/** Validates and formats account numbers, and converts between them, IBANs and banks, by the rules of each country. */
import { withoutSeparators } from '../platform/copied-text.ts'
import { type AccountBank, type CheckResult, invalid } from './country.ts'
import { checkIbanStructure } from './iban.ts'
import { formatIban } from './number-checks.ts'
import { countryRules } from './served-countries.ts'

/** The domestic number, or its substitute, with the IBAN if it is unambiguous. */
export type DebtorAccountNumber = { readonly bban: string; readonly iban: string | null }

/** Normalises the number; an IBAN yields its account number, or itself if that cannot be derived. */
export function parseDebtorAccountNumber(countryCode: string, text: string): DebtorAccountNumber {
  return debtorAccountNumberOf(countryCode, text, checkAccountNumber(countryCode, text))
}

/** The same for a number that was checked. */
export function debtorAccountNumberOf(
  countryCode: string,
  text: string,
  checked: CheckResult<'bban'>,
): DebtorAccountNumber {
  if (checked.ok) {
    return { bban: checked.bban, iban: countryRules(countryCode)?.ibanOf(checked.bban) ?? null }
  }
  const found = checkIbanStructure(text)
  if (!found.ok || !found.iban.startsWith(countryCode)) {
    return { bban: withoutSeparators(text), iban: null }
  }
  const containedBban = bbanOf(found.iban)
  return { bban: containedBban.ok ? containedBban.bban : found.iban, iban: found.iban }
}

/** Whether one of these is the number of this account, in whatever form it is written. They may not be validated yet. */
export function hasNumberOfAccount(
  countryCode: string,
  { bban, iban }: DebtorAccountNumber,
  numbers: readonly unknown[],
): boolean {
  return numbers.some((number) => {
    if (typeof number !== 'string' || number === '') {
      return false
    }
    const written = parseDebtorAccountNumber(countryCode, number)
    return written.bban.toUpperCase() === bban.toUpperCase() || (iban !== null && written.iban === iban)
  })
}

/** Without separators. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Returns the normalised account number, or why it is invalid. Idempotent. */
export function checkAccountNumber(countryCode: string, text: string): CheckResult<'bban'> {
  const rules = countryRules(countryCode)
  if (rules === undefined) {
    return invalid(`is of a country that is not supported (${countryCode})`)
  }
  const checked = rules.checkAccountNumber(text)
  // If the text is an IBAN, the reason says so; other invalid numbers keep their reason.
  const iban = checked.ok ? undefined : checkIbanStructure(text)
  if (iban?.ok !== true) {
    return checked
  }
  const country = iban.iban.slice(0, 2)
  if (country !== countryCode) {
    return invalid(`is an IBAN of ${country}; a domestic payment requires an account number of ${countryCode}`)
  }
  const containedBban = rules.endsInAccountNumber ? bbanOf(iban.iban) : undefined
  return containedBban?.ok === true ? invalid(`is an IBAN; send its account number, ${containedBban.bban}`) : checked
}

/** The IBAN of an account number; undefined when the number is invalid or its IBAN is ambiguous. */
export function ibanOf(countryCode: string, text: string): string | undefined {
  const checked = checkAccountNumber(countryCode, text)
  return checked.ok ? countryRules(countryCode)?.ibanOf(checked.bban) : undefined
}

/** The account number in an IBAN: checks structure and modulus 97, then the rules of the country. */
export function bbanOf(text: string): CheckResult<'bban'> {
  const checked = checkIbanStructure(text)
  if (!checked.ok) {
    return checked
  }
  const country = checked.iban.slice(0, 2)
  return (
    countryRules(country)?.bbanOf(checked.iban) ??
    invalid(`is an IBAN of a country that is not served here (${country})`)
  )
}

/** The clearing code of an account's bank; undefined where the country has none, and for giro numbers. */
export function clearingCodeOf(countryCode: string, text: string): string | undefined {
  const [rules, checked] = [countryRules(countryCode), checkAccountNumber(countryCode, text)]
  return rules?.hasClearingCodes === true && checked.ok && rules.kindOfNumber(checked.bban) === 'account'
    ? rules.bankCodeOf(checked.bban)
    : undefined
}

/** The bank of an account, if the number identifies it. */
export function bankOf(countryCode: string, text: string): AccountBank | undefined {
  const checked = checkAccountNumber(countryCode, text)
  return checked.ok ? countryRules(countryCode)?.bankOf(checked.bban) : undefined
}

/** As the banks of the country print it, and an IBAN of any country in groups of four; other texts are unchanged. */
export function formatAccountNumber(countryCode: string, number: string): string {
  return IBAN.test(number) ? formatIban(number) : (countryRules(countryCode)?.formatAccountNumber(number) ?? number)
}

/** Banks have several codes: the table identifies them by their BIC. */
export function areAtSameBank(countryCode: string, one: string, other: string): boolean {
  const rules = countryRules(countryCode)
  // The table has banks without a BIC.
  const bic = rules?.bankOf(one)?.bic ?? null
  const areOne = rules !== undefined && rules.bankCodeOf(one) === rules.bankCodeOf(other)
  return areOne || (bic !== null && bic === rules?.bankOf(other)?.bic)
}
