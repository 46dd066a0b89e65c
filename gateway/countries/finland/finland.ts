/** Assembles the rules of Finland. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import { withoutSpaces, withPlainSeparators } from '../../platform/copied-text.ts'
import { bankCodeTable } from '../bank-codes.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import {
  type CheckedReference,
  type CheckResult,
  type CountryRules,
  invalid,
  type Reference,
  referenceTypeNotUsed,
  SEPA_CHARACTERS,
  valid,
} from '../country.ts'
import {
  formatIban,
  ibanCheckDigits,
  ibanRulesFromBban,
  ibanWithoutSeparators,
  modulus11,
  passesModulus10,
  passesModulus97,
  weightedSum,
} from '../number-checks.ts'

const DIGITS = 14
/** The first digits are those of the bank. */
const BANK_PREFIX_DIGITS = 3
/** The bank of the prefix. */
const bankOfFinnishAccount = bankCodeTable(nordicBanks.FI, finnishBankCodeOf)
/** The digits of a printed IBAN. */
const GROUPS_OF_FOUR = /^([0-9]{4} ){3}[0-9]{2}$/
/** The format before IBANs: six digits of the office, two to eight of the account. */
const PRINTED = /^([0-9]{6})-([0-9]{2,8})$/

/**
 * Accepts an IBAN, its fourteen digits, or the old format `123456-785`; normalised to fourteen digits, or to the IBAN
 * where the check digit inside it is wrong, so that only the check digits of the IBAN prove the number.
 */
function checkFinnishAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  if (!/^FI/i.test(written)) {
    return checkDigits(GROUPS_OF_FOUR.test(written) ? written.replaceAll(' ', '') : fromPrinted(written))
  }
  const iban = ibanWithoutSeparators(text) ?? ''
  const isIban = /^FI[0-9]{16}$/.test(iban) && passesModulus97(iban)
  return isIban
    ? checkDigitsOfIban(iban.slice(4))
    : invalid('is not a Finnish IBAN: FI and 16 digits that pass modulus 97')
}

/** Checks the fourteen digits of an IBAN that passes modulus 97. Some institutions issue such with a wrong inner digit. */
function checkDigitsOfIban(digits: string): CheckResult<'bban'> {
  return passesModulus10(digits) || digits.length !== DIGITS
    ? checkDigits(digits)
    : valid(
        { bban: ibanOfFinnishAccount(digits) },
        'is an IBAN whose inner check digit is wrong (modulus 10), as those of some institutions',
      )
}

/** The IBAN of a normalised number. */
function ibanOfFinnishAccount(bban: string): string {
  return bban.startsWith('FI') ? bban : `FI${ibanCheckDigits('FI', bban)}${bban}`
}

/** The prefix that identifies the bank. */
function finnishBankCodeOf(bban: string): string {
  return bban.replace(/^FI../, '').slice(0, BANK_PREFIX_DIGITS)
}

function checkDigits(bban: string): CheckResult<'bban'> {
  if (!/^[0-9]+$/.test(bban)) {
    return invalid('must be an IBAN, 14 digits, or written as 123456-785')
  }
  if (bban.length !== DIGITS) {
    return invalid(`has ${bban.length} digits; without FI a Finnish one has ${DIGITS}`)
  }
  if (!passesModulus10(bban)) {
    return invalid('has a wrong check digit (modulus 10); if it is that of an IBAN, send the IBAN')
  }
  if (/^0+$/.test(bban)) {
    return invalid('has only zeros')
  }
  const warning = `begins with ${bban.slice(0, BANK_PREFIX_DIGITS)}, which is not in our table of Finnish banks`
  return valid({ bban }, bankOfFinnishAccount(bban) === undefined ? warning : undefined)
}

/** Pads the old format: after the seventh digit for banks 4, 5 and 6, otherwise after the sixth. */
function fromPrinted(written: string): string {
  const [, office, account] = PRINTED.exec(written) ?? []
  if (office === undefined || account === undefined) {
    return written
  }
  const before = /^[456]/.test(office) ? account.slice(0, 1) : ''
  return office + before + account.slice(before.length).padStart(DIGITS - office.length - before.length, '0')
}

/** Repeated; the first is that of the check digit, which completes the sum to a multiple of ten. */
const WEIGHTS_FROM_RIGHT = [1, 7, 3]
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
  if (digits === '' || weightedSum([...digits].reverse().join(''), WEIGHTS_FROM_RIGHT) % 10 !== 0) {
    return invalid('is not a viitenumero: its check digit is wrong (weights 7, 3, 1)')
  }
  return { ok: true, reference: digits.padStart(VIITENUMERO_DIGITS_MIN, '0'), checkMethod: 'Weights731' }
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
  clearingSystem: null,
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
    return invalid('is not seven digits, a hyphen and a check digit, as in 2077474-0')
  }
  // The check value 10 equals no digit: such ids are not issued.
  return modulus11(digits, ORGANISATION_NUMBER_WEIGHTS) === Number(check)
    ? { ok: true, organisationNumber: `${digits}-${check}` }
    : invalid('has a wrong check digit (modulus 11)')
}
