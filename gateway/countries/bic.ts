/** Validates BICs, and whether a BIC and an IBAN can belong together. */
import { plainCode } from '../platform/copied-text.ts'
import type { CheckResult } from './country.ts'
import { checkIban } from './iban.ts'
import { countryRules } from './served-countries.ts'

/** Eight characters identify the bank, three more its branch. */
const BANK_CHARACTERS = 8

/** Territories whose banks have BICs or IBANs of the country they belong to. */
const countryGroups: readonly ReadonlySet<string>[] = [
  new Set(['FR', 'MC', 'GF', 'GP', 'MQ', 'RE', 'YT', 'PM', 'BL', 'MF', 'NC', 'PF', 'WF']),
  new Set(['GB', 'GG', 'JE', 'IM']),
]

/** Of the head office, which a BIC of eight characters names, too. */
const HEAD_OFFICE = 'X'.repeat(3)

/** The BICs under which a bank may be listed that is written so: in any case, with or without the head office. */
export function spellingsOfBic(text: string): readonly string[] {
  const bic = plainCode(text)
  const bank = bic.endsWith(HEAD_OFFICE) ? bic.slice(0, BANK_CHARACTERS) : bic
  return bank.length === BANK_CHARACTERS ? [bic, bank, bank + HEAD_OFFICE] : [bic]
}

/** Validates a BIC (ISO 9362) in capital letters. */
export function checkBic(text: string): CheckResult<'bic'> {
  if (!/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text)) {
    return { ok: false, reason: 'is not a BIC: 8 or 11 capital letters and digits, the first six letters' }
  }
  const country = text.slice(4, 6)
  return isCountryCode(country)
    ? { ok: true, bic: text }
    : { ok: false, reason: `is not a BIC: ${country} is not a country code` }
}

/** Validates a BIC against an IBAN: by the national tables of banks, which know foreign banks; then by country. */
export function checkBicOfIban(iban: string, bic: string): CheckResult<'bic'> {
  const [checkedIban, checked] = [checkIban(iban), checkBic(bic)]
  if (!checkedIban.ok || !checked.ok) {
    return checkedIban.ok ? checked : { ok: false, reason: 'cannot be compared: the IBAN is not valid' }
  }
  const [ibanCountry, bicCountry] = [checkedIban.iban.slice(0, 2), bic.slice(4, 6)]
  const bank = countryRules(ibanCountry)?.bankOfIban(checkedIban.iban)
  if (bank?.bic?.slice(0, BANK_CHARACTERS) === bic.slice(0, BANK_CHARACTERS)) {
    return checked
  }
  if (!areOneArea(ibanCountry, bicCountry)) {
    return { ok: false, reason: `is of a bank in ${bicCountry}, while the IBAN is of ${ibanCountry}` }
  }
  // Banks merge faster than tables change, so another bank of the same country is only a warning.
  return bank === undefined || bank.bic === null
    ? checked
    : {
        ...checked,
        warning: `is not ${bank.bic}, the BIC of ${bank.name}, to which the IBAN belongs according to our table`,
      }
}

function areOneArea(one: string, other: string): boolean {
  return one === other || countryGroups.some((group) => group.has(one) && group.has(other))
}

const countryCodes: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
    'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
  ).split(' '),
)

/** All country codes in alphabetical order. */
export const COUNTRY_CODES: readonly string[] = [...countryCodes].sort()

export function isCountryCode(code: string): boolean {
  return countryCodes.has(code)
}
