/** Checks BICs, and whether a BIC and an IBAN can belong together. */
import type { Checked } from './country.ts'
import { checkIban } from './iban.ts'
import { isCountryCode } from './iso-countries.ts'
import { countryRules } from './served-countries.ts'

/** Eight characters name the bank, three more an office of it. */
const BANK_CHARACTERS = 8

/** Banks of these places have BICs or IBANs of the country they belong to. */
const countryGroups: readonly ReadonlySet<string>[] = [
  new Set(['FR', 'MC', 'GF', 'GP', 'MQ', 'RE', 'YT', 'PM', 'BL', 'MF', 'NC', 'PF', 'WF']),
  new Set(['GB', 'GG', 'JE', 'IM']),
]

/** Checks a BIC (ISO 9362) in capital letters. */
export function checkBic(text: string): Checked<'bic'> {
  if (!/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text)) {
    return { ok: false, reason: 'is not a BIC: 8 or 11 capital letters and digits, the first six letters' }
  }
  const country = text.slice(4, 6)
  return isCountryCode(country)
    ? { ok: true, bic: text }
    : { ok: false, reason: `is not a BIC: ${country} is no country` }
}

/** Whether a sound BIC fits a sound IBAN: by the national tables of banks first, which know foreign banks, then by country. */
export function checkBicOfIban(iban: string, bic: string): Checked<'bic'> {
  const [sound, checked] = [checkIban(iban), checkBic(bic)]
  if (!sound.ok || !checked.ok) {
    return sound.ok ? checked : { ok: false, reason: 'cannot be compared: the IBAN is not sound' }
  }
  const [ibanCountry, bicCountry] = [sound.iban.slice(0, 2), bic.slice(4, 6)]
  const bank = countryRules(ibanCountry)?.bankOfIban(sound.iban)
  if (bank?.bic?.slice(0, BANK_CHARACTERS) === bic.slice(0, BANK_CHARACTERS)) {
    return checked
  }
  if (!areOneArea(ibanCountry, bicCountry)) {
    return { ok: false, reason: `is of a bank in ${bicCountry}, while the IBAN is of ${ibanCountry}` }
  }
  // Banks merge faster than tables change, so another bank of the same country is no reason to refuse.
  return bank === undefined || bank.bic === null
    ? checked
    : { ...checked, warning: `is not ${bank.bic}, that of ${bank.name}, to which the IBAN belongs by the table` }
}

function areOneArea(one: string, other: string): boolean {
  return one === other || countryGroups.some((group) => group.has(one) && group.has(other))
}
