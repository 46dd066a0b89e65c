/** Checks account numbers, and turns them into IBANs, banks and back, by the rules of their country. */
import type { AccountBank, Checked } from './country.ts'
import { checkIbanStructure } from './iban.ts'
import { countryRules } from './served-countries.ts'

/** The account number in the form that banks take, or why it is none. Checking that form again changes nothing. */
export function checkAccountNumber(countryCode: string, text: string): Checked<'bban'> {
  const rules = countryRules(countryCode)
  return rules === undefined
    ? { ok: false, reason: `is of a country whose account numbers are not known here (${countryCode})` }
    : orIban(countryCode, text, rules.checkAccountNumber(text))
}

/** Countries whose domestic number is the end of the IBAN, so that it can be offered in the IBAN's place. */
const ENDS_IBAN: readonly string[] = ['NO', 'DK']

/** Says of an IBAN that it is one; a number that was refused for anything else keeps its reason. */
function orIban(countryCode: string, text: string, checked: Checked<'bban'>): Checked<'bban'> {
  const iban = checked.ok ? undefined : checkIbanStructure(text)
  if (iban?.ok !== true) {
    return checked
  }
  const country = iban.iban.slice(0, 2)
  if (country !== countryCode) {
    const reason = `is an IBAN of ${country}; a domestic payment takes an account number of ${countryCode}`
    return { ok: false, reason }
  }
  const inside = ENDS_IBAN.includes(countryCode) ? bbanOf(iban.iban) : undefined
  return inside?.ok === true
    ? { ok: false, reason: `is an IBAN; write the account number in it, ${inside.bban}` }
    : checked
}

/** The IBAN of an account number, or undefined when it is none, or has no IBAN that is certain. */
export function ibanOf(countryCode: string, text: string): string | undefined {
  const checked = checkAccountNumber(countryCode, text)
  return checked.ok ? ibanOfChecked(countryCode, checked.bban) : undefined
}

/** The same of a number as its check has left it. */
export function ibanOfChecked(countryCode: string, bban: string): string | undefined {
  return countryRules(countryCode)?.ibanOf(bban)
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
