/** Assembles the rules of Sweden, among them those of OCR references. */
import { withoutSpaces, withPlainSeparators } from '../../platform/copied-text.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import {
  type CheckedReference,
  type CheckResult,
  type CountryRules,
  invalid,
  type Reference,
  referenceTypeNotUsed,
  SEPA_CHARACTERS,
} from '../country.ts'
import { DIGIT_GROUPS, passesModulus10, separatorFault } from '../number-checks.ts'
import { parseReportingTerms } from '../reporting-terms.ts'
import {
  bankOfSwedishAccount,
  CLEARING_DIGITS,
  checkGiro,
  clearingRangeOf,
  giroKind,
  hasFifthDigit,
  isCheckAdvisory,
} from './clearing-numbers.ts'
import { bankOfSwedishIban, bbanOfSwedishIban, checkClearingAccount, checkSwedishIban, swedishIban } from './iban.ts'

const PLUSGIRO_DIGITS_MAX_UNMARKED = 6
const GIRO_DIGITS_MAX = 8
const ACCOUNT_DIGITS_MIN = 11
const PERSONAL_ACCOUNT_DIGITS = 10
/** Points are separators only where there are several: a single one would be a decimal point. */
const WITH_POINTS = '[0-9]{4}([.][0-9]{2,4}){2,}'
/**
 * Clearing number, at Swedbank possibly with its fifth digit, and account number: `5439-10 240 39`,
 * `8327-9, 33 395 390-9`, `3300 800928 6249`, `9020.12.345.67`.
 */
const CLEARING_ACCOUNT = new RegExp(
  `^([0-9]{4}|8[0-9]{3}[ -]?[0-9])(,? |-|(?<=-[0-9]),)(${DIGIT_GROUPS}(-[0-9]{1,4})?|[0-9]{6} [0-9]{4})$|^${WITH_POINTS}$`,
)
const PLUSGIRO_GROUPS = new RegExp(`^${DIGIT_GROUPS}-[0-9]$`)

/** Accepts numbers with or without separators; the prefix `BG` or `PG` determines the type. */
function checkSwedishAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  const [, giro, number] = /^(BG|PG):? ?(.*)$/i.exec(written) ?? []
  if (giro !== undefined && number !== undefined) {
    return checkGiro(giro.toUpperCase() === 'BG' ? 'bankgiro' : 'plusgiro', withoutPlusgiroGroups(number))
  }
  return /^SE[0-9]{2}/i.test(written)
    ? invalid('is an IBAN; a domestic payment requires clearing and account number, Bankgiro or Plusgiro')
    : checkWithoutPrefix(written)
}

/**
 * `5439-1024039`, at Swedbank `8327-9,333953909` without the zeros that only pad it; giro numbers with their names:
 * `Bankgiro 5402-9681`, `Plusgiro 90 20 03-3`.
 */
function formatSwedishAccountNumber(bban: string): string {
  const giro = giroKind(bban)
  if (giro !== undefined) {
    return giro === 'bankgiro' ? `Bankgiro ${bban}` : `Plusgiro ${bban.replaceAll(/(?<=\d)(?=(?:\d\d){1,3}-)/g, ' ')}`
  }
  const range = /^\d{11,}$/.test(bban) ? clearingRangeOf(bban) : undefined
  return range !== undefined && hasFifthDigit(range)
    ? bban.replace(/^(\d{4})(\d)0{0,8}(\d{2,10})$/, '$1-$2,$3')
    : bban.replace(/^(\d{4})(\d{7,10})$/, '$1-$2')
}

/** Hyphens decide first: Bankgiro has one before the last four digits, Plusgiro before the last one. */
function checkWithoutPrefix(written: string): CheckResult<'bban'> {
  const hyphenated = withoutPlusgiroGroups(written)
  const giro = giroKind(hyphenated)
  if (giro !== undefined) {
    return checkGiro(giro, hyphenated)
  }
  const digits = written.replaceAll(/[ .,-]/g, '')
  if (written !== digits && !CLEARING_ACCOUNT.test(written)) {
    return invalid(separatorFault(written, '5439-1024039, 8327-9 333953909, Bankgiro 5402-9681 or Plusgiro 902003-3'))
  }
  if (!/^[0-9]+$/.test(digits)) {
    return invalid('contains characters other than digits')
  }
  if (written === digits && digits.length <= GIRO_DIGITS_MAX) {
    return checkBareGiro(digits)
  }
  return digits.length < ACCOUNT_DIGITS_MIN ? checkShort(written, digits) : checkClearingAccount(written)
}

/** Plusgiro numbers are printed in groups before their check digit: `90 20 03-3`. */
function withoutPlusgiroGroups(written: string): string {
  return PLUSGIRO_GROUPS.test(written) ? written.replaceAll(' ', '') : written
}

/** Both use the same check digit, so it cannot distinguish plain numbers of seven or eight digits. */
function checkBareGiro(digits: string): CheckResult<'bban'> {
  if (digits.length <= PLUSGIRO_DIGITS_MAX_UNMARKED) {
    return checkGiro('plusgiro', digits)
  }
  const checked = checkGiro('bankgiro', digits)
  return checked.ok
    ? {
        ...checked,
        warning: `is treated as the Bankgiro number ${checked.bban}; write a Plusgiro number as 1234567-8`,
      }
    : checked
}

/** Few banks have account numbers this short. A birth date and four digits are usually an account at Nordea. */
function checkShort(text: string, digits: string): CheckResult<'bban'> {
  const range = clearingRangeOf(digits)
  const mayBePersonal = digits.length === PERSONAL_ACCOUNT_DIGITS && passesModulus10(digits)
  const hasClearingSeparator = /^[0-9]{4}[ -]/.test(text)
  if (range !== undefined && (hasClearingSeparator || isCheckAdvisory(range))) {
    const checked = checkClearingAccount(text)
    const isDoubtful = !checked.ok || checked.warning !== undefined
    return isDoubtful && mayBePersonal && !hasClearingSeparator ? invalid(PERSONAL) : checked
  }
  if (mayBePersonal) {
    return invalid(PERSONAL)
  }
  return invalid(
    `has ${digits.length} digits: too many for a giro number, or hyphens in other places, and too few for clearing and account number`,
  )
}

const PERSONAL = 'lacks its clearing number; if it is a personal account at Nordea, write 3300 before it'

/** The third digit is 2 or more for legal persons; in a personal number it is the first digit of the month. */
const LEGAL_PERSON = /^[0-9]{2}[2-9]/
/** Month, then day; coordination numbers add 60 to the day. */
const PERSON = /^[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01]|6[1-9]|[78][0-9]|9[01])/
const NATIONAL_ID = /^(\d{4})(\d{2})(\d{2})\d{4}$/
/** In a coordination number, 60 is added to the day of birth. */
const COORDINATION_DAYS = 60

export const sweden: CountryRules = {
  currency: 'SEK',
  timeZone: 'Europe/Stockholm',
  languages: ['sv'],
  bankHolidays: {
    fixed: ['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'],
    afterEaster: [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION],
    moving: (year) => [midsummerEve(year)],
  },
  ibanOf: swedishIban,
  bbanOf: bbanOfSwedishIban,
  checkIban: checkSwedishIban,
  bankOfIban: bankOfSwedishIban,
  endsInAccountNumber: false,
  checkAccountNumber: checkSwedishAccountNumber,
  formatAccountNumber: formatSwedishAccountNumber,
  bankOf: bankOfSwedishAccount,
  bankCodeOf: (bban) => bban.slice(0, CLEARING_DIGITS),
  hasClearingCodes: true,
  kindOfNumber: (creditorBban) => giroKind(creditorBban) ?? 'account',
  clearingSystem: 'SESBA',
  checkOrganisationNumber: checkSwedishOrganisationNumber,
  formatOrganisationNumber: (number) => number.replace(/^(\d{6})(\d{4})$/, '$1-$2'),
  // By the codes of Bolagsverket.
  organisationForms: {
    supported: ['AB', 'E', 'HB', 'KB', 'EK', 'SE'],
    reviewed: [
      { kind: 'branch', codes: ['FL'] },
      { kind: 'foundation', codes: ['S'] },
      { kind: 'financial', codes: ['BAB', 'FAB', 'MB', 'SB', 'OFB'] },
    ],
    excluded: [
      { kind: 'housing', codes: ['BRF', 'BF', 'KHF'] },
      { kind: 'association', codes: ['I', 'SF'] },
      { kind: 'estate', codes: ['DB', 'KBO'] },
    ],
  },
  eid: { name: 'BankID', sandboxPath: 'bankid-se' },
  nationalIds: { withLetters: null, birthDateOf: birthDateOfSwedishId },
  domesticTexts: { characterClass: `[${SEPA_CHARACTERS}ÅÄÖåäöéÉüÜ&]`, areSepa: false, debtorReferenceMax: 20 },
  checkReference: checkSwedishReference,
  parsePaymentForm: () => undefined,
  regulatoryReporting: parseReportingTerms('SE'),
  probeNumbers: {
    impossibleAccount: { bban: '58398257467', iban: 'SE0050000000058398257467' },
    exampleAccount: { bban: '58398257466', iban: 'SE4550000000058398257466' },
    exampleReference: '1230',
  },
}

/**
 * Ten digits, modulus 10; sole traders use their personal number. Accepts `556047-3521`, the VAT format
 * `SE556047352101`, and a leading century or 16; normalised to ten digits.
 */
function checkSwedishOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const written = withPlainSeparators(text).replace(/^SE ?([0-9]{6}[ -]?[0-9]{4})( ?01)?$/i, '$1')
  const [, start, end] = /^(?:(?:16|18|19|20) ?)?([0-9]{6})[ +-]?([0-9]{4})$/.exec(written) ?? []
  if (start === undefined || end === undefined) {
    return invalid('is not ten digits, as in 556047-3521')
  }
  if (!LEGAL_PERSON.test(start) && !PERSON.test(start)) {
    return invalid('is neither of a company (third digit 2 or more) nor a personal number (a birth date)')
  }
  return passesModulus10(start + end)
    ? { ok: true, organisationNumber: start + end }
    : invalid('has a wrong check digit (modulus 10)')
}

/**
 * The birth date in a personal identity number: Swedish BankID reports it in no other way. As an ISO date, which may not
 * be in the calendar; null if the text has another format.
 */
function birthDateOfSwedishId(nationalId: string): string | null {
  const [, year, month, day] = NATIONAL_ID.exec(nationalId) ?? []
  const dayOfBirth = Number(day) > COORDINATION_DAYS ? Number(day) - COORDINATION_DAYS : Number(day)
  return year === undefined ? null : `${year}-${month}-${String(dayOfBirth).padStart(2, '0')}`
}

/** The reference without the spaces that invoices print. A creditor's agreement on lengths is known to its bank only. */
function checkSwedishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'ocr') {
    return referenceTypeNotUsed('Sweden', 'an OCR reference is of type ocr')
  }
  const ocr = withoutSpaces(reference.value)
  if (!/^[0-9]{2,25}$/.test(ocr)) {
    return invalid('is not an OCR reference: 2–25 digits')
  }
  if (/^0+$/.test(ocr)) {
    return invalid('is not an OCR reference: it has only zeros')
  }
  return passesModulus10(ocr)
    ? { ok: true, reference: ocr, checkMethod: 'Modulus10' }
    : invalid('has a wrong check digit (modulus 10)')
}
