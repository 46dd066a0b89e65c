/** Checks account numbers, and turns them into IBANs, banks and back, by the rules of their country. */
import type { AccountBank, Checked } from './country.ts'
import { countryRules } from './country-rules.ts'
import { checkIbanStructure } from './iban.ts'

/** The account number in the form that banks take, or why it is none. Checking that form again changes nothing. */
export function checkAccountNumber(countryCode: string, text: string): Checked<'bban'> {
  const rules = countryRules(countryCode)
  return rules === undefined
    ? { ok: false, reason: `is of a country whose account numbers are not known here (${countryCode})` }
    : rules.checkAccountNumber(text)
}

/** The IBAN of an account number, or undefined when it is none, or has no IBAN that is certain. */
export function ibanOf(countryCode: string, text: string): string | undefined {
  const checked = checkAccountNumber(countryCode, text)
  return checked.ok ? countryRules(countryCode)?.ibanOf(checked.bban) : undefined
}

/** The account number inside an IBAN: structure and modulus 97 first, then the check of its country. */
export function bbanOf(text: string): Checked<'bban'> {
  const checked = checkIbanStructure(text)
  if (!checked.ok) {
    return checked
  }
  const country = checked.iban.slice(0, 2)
  return (
    countryRules(country)?.bbanOf(checked.iban) ?? {
      ok: false,
      reason: `is an IBAN of a country that is not served here (${country})`,
    }
  )
}

/** The bank that keeps an account, as far as the number tells it. */
export function bankOf(countryCode: string, text: string): AccountBank | undefined {
  const checked = checkAccountNumber(countryCode, text)
  return checked.ok ? countryRules(countryCode)?.bankOf(checked.bban) : undefined
}
