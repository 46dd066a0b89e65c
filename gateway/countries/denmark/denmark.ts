/** Assembles the rules of Denmark. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import { withoutSeparators, withPlainSeparators } from '../../platform/copied-text.ts'
import { bankCodeTable } from '../bank-codes.ts'
import { ASCENSION, EASTER_MONDAY, easterSunday, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import { type CheckResult, type CountryRules, invalid, SEPA_CHARACTERS, valid } from '../country.ts'
import { DIGIT_GROUPS, ibanRulesFromBban, modulus11, separatorFault } from '../number-checks.ts'
import { checkDanishReference, parseFikReference } from './fik.ts'

/** Leading digits of the registration number, which identifies the bank. */
const REGISTRATION_DIGITS = 4
const ACCOUNT_DIGITS = 10
const DIGITS_MAX = REGISTRATION_DIGITS + ACCOUNT_DIGITS
const PRINTED = new RegExp(`^[0-9]+$|^[0-9]{1,${REGISTRATION_DIGITS}}[ -]${DIGIT_GROUPS}$`)
/** Giro numbers of eight digits begin with others. */
const CREDITOR_NUMBER = /^8\d{7}$/
/** The bank of the registration number. */
const bankOfDanishAccount = bankCodeTable(nordicBanks.DK, registrationNumberOf)

/** Accepts `0040 0440116243` or `0040-440 116 243`; the account number is padded with zeros to ten digits. */
function checkDanishAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  const digits = withoutSeparators(text)
  if (!PRINTED.test(written)) {
    return invalid(separatorFault(text, '0040 0440116243 or 0040-0440116243'))
  }
  if (digits.length <= REGISTRATION_DIGITS || digits.length > DIGITS_MAX) {
    return invalid(
      `has ${digits.length} digits; a Danish one has 4 of registration number and 1 to 10 of account number`,
    )
  }
  const [first = ''] = written.split(/[ -]/)
  // Spreadsheets drop leading zeros; if the digits were read as they are, the payment would go to another bank.
  if (first.length < REGISTRATION_DIGITS) {
    return invalid(`begins with ${first}, where a registration number has four digits, leading zeros included`)
  }
  if (/^0+$/.test(digits.slice(REGISTRATION_DIGITS))) {
    return invalid('has only zeros after the registration number')
  }
  const registration = digits.slice(0, REGISTRATION_DIGITS)
  const bban = registration + digits.slice(REGISTRATION_DIGITS).padStart(ACCOUNT_DIGITS, '0')
  const warning = `begins with ${registration}, a registration number that is not in our table of Danish banks`
  return valid({ bban }, bankOfDanishAccount(bban) === undefined ? warning : undefined)
}

function registrationNumberOf(bban: string): string {
  return bban.slice(0, REGISTRATION_DIGITS)
}

/** Abolished as a holiday from 2024. */
const GREAT_PRAYER_DAY_LAST_YEAR = 2023
/** Days after Easter Sunday. */
const GREAT_PRAYER_DAY = 26

const ORGANISATION_NUMBER_WEIGHTS = [2, 7, 6, 5, 4, 3, 2, 1]

export const denmark: CountryRules = {
  currency: 'DKK',
  timeZone: 'Europe/Copenhagen',
  languages: ['da'],
  bankHolidays: {
    fixed: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, ASCENSION + 1, WHIT_MONDAY],
    moving: (year) => (year <= GREAT_PRAYER_DAY_LAST_YEAR ? [easterSunday(year).add({ days: GREAT_PRAYER_DAY })] : []),
  },
  ...ibanRulesFromBban('DK', checkDanishAccountNumber, bankOfDanishAccount),
  checkAccountNumber: checkDanishAccountNumber,
  // `0040 0440116243`; the numbers of payment forms with their names: `Kreditornummer 81234567`, `Girokonto 1234567`.
  formatAccountNumber: (bban) =>
    /^\d{7,8}$/.test(bban)
      ? `${CREDITOR_NUMBER.test(bban) ? 'Kreditornummer' : 'Girokonto'} ${bban}`
      : bban.replace(/^(\d{4})(\d{10})$/, '$1 $2'),
  bankOf: bankOfDanishAccount,
  bankCodeOf: registrationNumberOf,
  hasClearingCodes: true,
  // Creditor and giro numbers on payment forms have at most eight digits.
  kindOfNumber: (bban) => (bban.length < DIGITS_MAX ? 'payment-form' : 'account'),
  clearingSystem: null,
  checkOrganisationNumber: checkDanishOrganisationNumber,
  formatOrganisationNumber: (number) => number.replace(/^(\d{2})(\d{2})(\d{2})(\d{2})$/, '$1 $2 $3 $4'),
  // By their usual abbreviations; a connection to the registry must translate its codes to them.
  organisationForms: {
    supported: ['APS', 'A/S', 'IVS', 'ENK', 'PMV', 'I/S', 'K/S', 'P/S', 'AMBA', 'SMBA', 'SE'],
    reviewed: [
      { kind: 'branch', codes: ['FIL'] },
      { kind: 'foundation', codes: ['FON', 'ERF'] },
      { kind: 'public', codes: ['STAT', 'REG', 'KOM'] },
    ],
    excluded: [
      { kind: 'housing', codes: ['AND'] },
      { kind: 'association', codes: ['FOR', 'FFO', 'FMBA'] },
      { kind: 'estate', codes: ['DBO', 'KBO'] },
    ],
  },
  eid: { name: 'MitID', sandboxPath: 'mitid' },
  nationalIds: { withLetters: null, birthDateOf: () => null },
  domesticTexts: { characterClass: `[${SEPA_CHARACTERS}ÆØÅæøå&]`, areSepa: false, debtorReferenceMax: 20 },
  checkReference: checkDanishReference,
  parsePaymentForm: parseFikReference,
  regulatoryReporting: null,
  probeNumbers: {
    impossibleAccount: { bban: '00000000000000', iban: 'DK0000000000000000' },
    exampleAccount: { bban: '00400440116243', iban: 'DK5000400440116243' },
    exampleReference: '71/000000000000018',
  },
}

/**
 * CVR numbers: eight digits, not beginning with 0, whose weighted sum is a multiple of 11. Accepts `25 99 21 80`, also
 * in the format of the VAT register (`DK25992180`).
 */
function checkDanishOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const [, written = ''] =
    /^(?:DK[ -]?)?([0-9]{2}([ .]?)[0-9]{2}\2[0-9]{2}\2[0-9]{2}|[0-9]{4} [0-9]{4})$/i.exec(withPlainSeparators(text)) ??
    []
  const organisationNumber = written.replace(/[ .]/g, '')
  if (!/^[1-9][0-9]{7}$/.test(organisationNumber)) {
    return invalid('is not eight digits beginning with 1 to 9')
  }
  return modulus11(organisationNumber, ORGANISATION_NUMBER_WEIGHTS) === 0
    ? { ok: true, organisationNumber }
    : invalid('has a wrong check digit (modulus 11)')
}
