/** Assembles the rules of Sweden, among them those of OCR references. */
import regulatoryCodes from '../../../data/regulatory-codes.json' with { type: 'json' }
import { withoutSpaces, withPlainSeparators } from '../../platform/copied-text.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import { passesModulus10 } from '../check-digits.ts'
import { type CheckResult, type CountryRules, invalid } from '../country.ts'
import { type CheckedReference, type Reference, referenceTypeNotUsed } from '../payment-reference.ts'
import { parseReportingTerms } from '../reporting-terms.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import { checkSwedishAccountNumber, formatSwedishAccountNumber } from './account-number.ts'
import { bankOfSwedishAccount, CLEARING_DIGITS, giroKind, swedishClearingMember } from './clearing-numbers.ts'
import { bankOfSwedishIban, bbanOfSwedishIban, checkSwedishIban, swedishIban } from './iban.ts'

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
  clearingMemberOf: swedishClearingMember,
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
  regulatoryReporting: parseReportingTerms(regulatoryCodes.countries.SE),
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
