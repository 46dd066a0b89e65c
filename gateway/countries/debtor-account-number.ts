/** Parses the number of a debtor account leniently: it must match a consent, so the bank's format has precedence. */
import { withoutSeparators } from '../platform/copied-text.ts'
import { bbanOf, checkAccountNumber, ibanOfChecked } from './account-number.ts'
import type { CheckResult } from './country.ts'
import { checkIbanStructure } from './iban.ts'

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
    return { bban: checked.bban, iban: ibanOfChecked(countryCode, checked.bban) ?? null }
  }
  const found = checkIbanStructure(text)
  if (!found.ok || !found.iban.startsWith(countryCode)) {
    return { bban: withoutSeparators(text), iban: null }
  }
  const containedBban = bbanOf(found.iban)
  return { bban: containedBban.ok ? containedBban.bban : found.iban, iban: found.iban }
}
