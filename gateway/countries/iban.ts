/** Validates IBANs of all countries: length and pattern of the registry, modulus 97, then national rules. */
import registry from '../../data/iban-registry.json' with { type: 'json' }
import { type CheckResult, invalid } from './country.ts'
import { ibanWithoutSeparators, passesModulus97 } from './number-checks.ts'
import { countryRules } from './served-countries.ts'

type Structure = { readonly length: number; readonly bban: RegExp }

const structureByCountry: ReadonlyMap<string, Structure> = new Map(
  Object.entries(registry.countries).map(([code, { length, bban }]) => [code, { length, bban: new RegExp(bban) }]),
)

/** The IBAN without separators, or why it is invalid. */
export function checkIban(text: string): CheckResult<'iban'> {
  const checked = checkIbanStructure(text)
  return checked.ok ? (countryRules(checked.iban.slice(0, 2))?.checkIban(checked.iban) ?? checked) : checked
}

/** The regular expression of a country's IBANs. Throws for a country without IBANs. */
export function ibanPattern(country: string): string {
  const { bban } = structureByCountry.get(country) ?? {}
  if (bban === undefined) {
    throw new Error(`${country} has no IBANs`)
  }
  return `^${country}[0-9]{2}${bban.source.replace(/^\^|\$$/g, '')}$`
}

/** The checks that are common to all countries. */
export function checkIbanStructure(text: string): CheckResult<'iban'> {
  const iban = ibanWithoutSeparators(text)
  if (iban === undefined) {
    return invalid('is not an IBAN: a country, two check digits, then letters and digits')
  }
  const country = iban.slice(0, 2)
  const structure = structureByCountry.get(country)
  if (structure === undefined) {
    return invalid(`is not an IBAN: ${country} has no IBANs`)
  }
  if (iban.length !== structure.length) {
    return invalid(`has ${iban.length} characters; an IBAN of ${country} has ${structure.length}`)
  }
  if (!structure.bban.test(iban.slice(4))) {
    return invalid(`is not an IBAN: its account number does not have the format of ${country}`)
  }
  if (/^0+$/.test(iban.slice(4))) {
    return invalid('is not an IBAN: its account number consists of zeros')
  }
  return passesModulus97(iban) ? { ok: true, iban } : invalid('is not an IBAN: its check digits are wrong (modulus 97)')
}
