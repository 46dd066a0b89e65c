/** Assembles the rules of Finland. */
import { withoutSpaces, withPlainSeparators } from '../../platform/copied-text.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import { modulus11, passesModulus97 } from '../check-digits.ts'
import { type CheckResult, type CountryRules, invalid } from '../country.ts'
import { type CheckedReference, type Reference, referenceTypeNotUsed } from '../payment-reference.ts'
import { formatIban, ibanRulesFromBban } from '../separators.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import {
  bankOfFinnishAccount,
  checkDigitsOfIban,
  checkFinnishAccountNumber,
  finnishBankCodeOf,
  ibanOfFinnishAccount,
} from './account-number.ts'

/** Repeated from the right. */
const WEIGHTS = [7, 3, 1]
/** Leading zeros are insignificant, but the reference has at least four digits. */
const VIITENUMERO_DIGITS_MIN = 4

/** Accepts both, with or without printed spaces. */
function checkFinnishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'ocr') {
    return referenceTypeNotUsed('Finland', 'a viitenumero or RF reference is of type ocr')
  }
  const written = withoutSpaces(reference.value).toUpperCase()
  return written.startsWith('RF') ? checkRf(written) : checkViitenumero(written)
}

function checkRf(reference: string): CheckedReference {
  if (!/^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(reference)) {
    return invalid('is not an RF reference: RF, two check digits and 1–21 letters or digits')
  }
  if (/^RF..0+$/.test(reference)) {
    return invalid('is not an RF reference: it has only zeros')
  }
  return passesModulus97(reference)
    ? { ok: true, reference, checkMethod: 'Modulus97' }
    : invalid('is not an RF reference: its check digits are wrong (modulus 97)')
}

function checkViitenumero(written: string): CheckedReference {
  if (!/^[0-9]{4,20}$/.test(written)) {
    return invalid('is not a viitenumero: 4–20 digits')
  }
  const digits = written.replace(/^0+/, '')
  if (digits === '' || !passesWeights(digits)) {
    return invalid('is not a viitenumero: its check digit is wrong (weights 7, 3, 1)')
  }
  return { ok: true, reference: digits.padStart(VIITENUMERO_DIGITS_MIN, '0'), checkMethod: 'Weights731' }
}

/** The check digit completes the weighted sum to a multiple of ten. */
function passesWeights(digits: string): boolean {
  const sum = [...digits.slice(0, -1)]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % WEIGHTS.length] ?? 0), 0)
  return (sum + Number(digits.at(-1))) % 10 === 0
}

const ORGANISATION_NUMBER_WEIGHTS = [7, 9, 10, 5, 8, 4, 2]

export const finland: CountryRules = {
  currency: 'EUR',
  timeZone: 'Europe/Helsinki',
  languages: ['fi', 'sv'],
  bankHolidays: {
    fixed: ['01-01', '01-06', '05-01', '12-06', '12-24', '12-25', '12-26'],
    afterEaster: [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION],
    moving: (year) => [midsummerEve(year)],
  },
  ...ibanRulesFromBban('FI', checkDigitsOfIban, bankOfFinnishAccount),
  ibanOf: ibanOfFinnishAccount,
  checkAccountNumber: checkFinnishAccountNumber,
  // Finnish banks print IBANs only.
  formatAccountNumber: (bban) => (/^(FI\d{2})?\d{14}$/.test(bban) ? formatIban(ibanOfFinnishAccount(bban)) : bban),
  bankOf: bankOfFinnishAccount,
  bankCodeOf: finnishBankCodeOf,
  hasClearingCodes: false,
  kindOfNumber: () => 'account',
  clearingMemberOf: () => null,
  checkOrganisationNumber: checkFinnishOrganisationNumber,
  formatOrganisationNumber: (number) => number,
  // By their usual abbreviations; a connection to the registry must translate its codes to them.
  organisationForms: {
    supported: ['OY', 'OYJ', 'KY', 'AY', 'OK', 'TMI', 'SE'],
    reviewed: [
      { kind: 'branch', codes: ['SL'] },
      { kind: 'foundation', codes: ['SÄÄ'] },
      { kind: 'public', codes: ['KUNTA', 'VALT'] },
      { kind: 'financial', codes: ['OP', 'SP', 'VOY'] },
    ],
    excluded: [
      { kind: 'housing', codes: ['AOY', 'ASY', 'KOY'] },
      { kind: 'association', codes: ['AYH', 'RY'] },
      { kind: 'estate', codes: ['KP', 'KK'] },
    ],
  },
  eid: { name: 'FTN', sandboxPath: 'ftn' },
  nationalIds: { withLetters: /\b\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]\b/gi, birthDateOf: () => null },
  // Banks rewrite the letters of names for payments abroad (Nordea Finland, Corporate Payments Service).
  domesticTexts: { characterClass: `[${SEPA_CHARACTERS}ÅÄÖåäö]`, areSepa: true, debtorReferenceMax: 35 },
  checkReference: checkFinnishReference,
  parsePaymentForm: () => undefined,
  regulatoryReporting: null,
  probeNumbers: {
    impossibleAccount: { bban: '12345600000784', iban: 'FI0012345600000784' },
    exampleAccount: { bban: '12345600000785', iban: 'FI2112345600000785' },
    exampleReference: '1232',
  },
}

/**
 * Business ids (Y-tunnus): seven digits, a hyphen and a modulus 11 check digit. Accepts `2077474-0`, also without the
 * hyphen and in the format of the VAT register (`FI20774740`).
 */
function checkFinnishOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const [, digits, check] = /^(?:FI[ -]?)?([0-9]{7})-?([0-9])$/i.exec(withPlainSeparators(text)) ?? []
  if (digits === undefined || check === undefined) {
    return { ok: false, reason: 'is not seven digits, a hyphen and a check digit, as in 2077474-0' }
  }
  // The check value 10 equals no digit: such ids are not issued.
  return modulus11(digits, ORGANISATION_NUMBER_WEIGHTS) === Number(check)
    ? { ok: true, organisationNumber: `${digits}-${check}` }
    : { ok: false, reason: 'has a wrong check digit (modulus 11)' }
}
