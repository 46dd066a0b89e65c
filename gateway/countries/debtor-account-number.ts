/** Reads the number of an account that pays: it must be on a consent, so what its bank shows counts more than our rules. */
import { bbanOf, checkAccountNumber, ibanOfChecked } from './account-number.ts'
import { checkIbanStructure } from './iban.ts'
import { withoutSeparators } from './separators.ts'

/** A domestic number, or what stands in its place, with the IBAN where one is certain. */
export type SenderNumber = { readonly bban: string; readonly iban: string | null }

/** The number in its kept form; an IBAN gives the number in it, or itself where it does not hold one whole. */
export function senderNumber(countryCode: string, text: string): SenderNumber {
  const checked = checkAccountNumber(countryCode, text)
  if (checked.ok) {
    return { bban: checked.bban, iban: ibanOfChecked(countryCode, checked.bban) ?? null }
  }
  const found = checkIbanStructure(text)
  if (!found.ok || !found.iban.startsWith(countryCode)) {
    return { bban: withoutSeparators(text), iban: null }
  }
  const inside = bbanOf(found.iban)
  return { bban: inside.ok ? inside.bban : found.iban, iban: found.iban }
}
