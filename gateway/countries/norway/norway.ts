/** Assembles the rules of Norway: account numbers, organisation numbers and KIDs, its structured references. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import { withoutSeparators, withoutSpaces, withPlainSeparators } from '../../platform/copied-text.ts'
import { bankCodeTable } from '../bank-codes.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import {
  type CheckedReference,
  type CheckResult,
  type CountryRules,
  invalid,
  referenceTypeNotUsed,
  SEPA_CHARACTERS,
  valid,
} from '../country.ts'
import { ibanRulesFromBban, modulus11, passesModulus10, separatorFault } from '../number-checks.ts'
import { parseReportingTerms } from '../reporting-terms.ts'

const ACCOUNT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
const ACCOUNT_DIGITS = 11
/** Digits 5 and 6 are the account group: 00 is for settlement between banks, 90 and above for a bank's own accounts. */
const INTERNAL_ACCOUNT_GROUP = /^[0-9]{4}(00|9[0-9])/
/** Bank, group and customer, or the groups of four in which an IBAN is printed. A single point would be a decimal one. */
const PRINTED_ACCOUNT = /^([0-9]{4}[ -]?[0-9]{2}[ -]?[0-9]{5}|[0-9]{4}\.[0-9]{2}\.[0-9]{5}|[0-9]{4} [0-9]{4} [0-9]{3})$/

/** Accepts `8601 11 17947`, `8601.11.17947` or digits without separators. */
function checkNorwegianAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  const bban = withoutSeparators(text).replaceAll('.', '')
  if (/^[0-9 -]+$/.test(written) && bban.length !== ACCOUNT_DIGITS) {
    return invalid(`has ${bban.length} digits; a Norwegian one has ${ACCOUNT_DIGITS}`)
  }
  if (!PRINTED_ACCOUNT.test(written)) {
    return invalid(separatorFault(text, '8601 11 17947 or 8601.11.17947'))
  }
  if (bban.startsWith('0000')) {
    return invalid('begins with 0000, which is not a bank')
  }
  // The check value 10 equals no digit, so such numbers are rejected here too.
  if (modulus11(bban.slice(0, -1), ACCOUNT_WEIGHTS) !== Number(bban.at(-1))) {
    return invalid('has a wrong check digit (modulus 11)')
  }
  return INTERNAL_ACCOUNT_GROUP.test(bban)
    ? { ok: true, bban, warning: 'belongs to a group that is reserved for banks, not customers' }
    : { ok: true, bban }
}

const KID_WEIGHTS = [7, 6, 5, 4, 3, 2]
/** The check value 10 of modulus 11 is written as a hyphen. */
const HYPHEN_CHECK = 10
/** Sources differ on the minimum length, two or four characters; shorter ones get a warning. */
const USUAL_LENGTH_MIN = 4

/** Which of the two checks a KID passes; the creditor's agreement with its bank decides which one applies. */
export function kidChecks(kid: string): { readonly modulus10: boolean; readonly modulus11: boolean } {
  const check = kid.at(-1)
  const expected = modulus11(kid.slice(0, -1), KID_WEIGHTS)
  return {
    modulus10: check !== '-' && passesModulus10(kid),
    modulus11: check === (expected === HYPHEN_CHECK ? '-' : String(expected)),
  }
}

/** Either check is accepted: a creditor's agreement is known to its bank only. Spaces, as printed on invoices, are removed. */
function checkKid(text: string): CheckedReference {
  const kid = withoutSpaces(text)
  if (!/^[0-9]{1,24}[0-9-]$/.test(kid)) {
    return invalid('is not a KID: 2–25 digits, of which the last may be a hyphen')
  }
  if (/^0+$/.test(kid)) {
    return invalid('is not a KID: it has only zeros')
  }
  const checks = kidChecks(kid)
  if (!checks.modulus10 && !checks.modulus11) {
    return invalid('is not a KID: its check digit fits neither modulus 10 nor modulus 11')
  }
  const checkMethod = checks.modulus10 ? 'Modulus10' : 'Modulus11'
  const warning = `has ${kid.length} characters; many banks require at least four`
  return valid({ reference: kid, checkMethod }, kid.length < USUAL_LENGTH_MIN ? warning : undefined)
}

const BANK_CODE_DIGITS = 4
const bankOf = bankCodeTable(nordicBanks.NO, bankCodeOf)

const ORGANISATION_NUMBER_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2]

export const norway: CountryRules = {
  currency: 'NOK',
  timeZone: 'Europe/Oslo',
  languages: ['nb'],
  bankHolidays: {
    fixed: ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY],
  },
  ...ibanRulesFromBban('NO', checkNorwegianAccountNumber, bankOf),
  checkAccountNumber: checkNorwegianAccountNumber,
  // `8601.11.17947`.
  formatAccountNumber: (bban) => bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3'),
  bankOf,
  bankCodeOf,
  hasClearingCodes: true,
  kindOfNumber: () => 'account',
  clearingSystem: null,
  checkOrganisationNumber: checkNorwegianOrganisationNumber,
  formatOrganisationNumber: (number) => number.replace(/^(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3'),
  // By the codes of the Central Coordinating Register. Source: data.brreg.no/enhetsregisteret/api/organisasjonsformer.
  organisationForms: {
    supported: ['AS', 'ASA', 'ENK', 'ANS', 'DA', 'KS', 'SA', 'BA', 'PRE', 'SE'],
    reviewed: [
      { kind: 'branch', codes: ['NUF', 'UTLA', 'EØFG', 'EOFG'] },
      { kind: 'foundation', codes: ['STI'] },
      { kind: 'public', codes: ['STAT', 'KOMM', 'FYLK', 'KIRK', 'SF', 'IKS', 'KF', 'FKF', 'SÆR', 'ADOS'] },
      { kind: 'financial', codes: ['SPA', 'GFS', 'PK', 'VPFO'] },
      { kind: 'unknown', codes: ['ANNA'] },
    ],
    excluded: [
      { kind: 'housing', codes: ['BRL', 'BBL', 'ESEK'] },
      { kind: 'association', codes: ['FLI'] },
      { kind: 'estate', codes: ['KBO', 'BO'] },
      { kind: 'part', codes: ['ORGL', 'BEDR', 'AAFY', 'OPMV', 'SAM', 'KTRF', 'IKJP', 'PERS', 'VIFE'] },
    ],
  },
  eid: { name: 'BankID', sandboxPath: 'bankid-no' },
  nationalIds: { withLetters: null, birthDateOf: () => null },
  domesticTexts: { characterClass: `[${SEPA_CHARACTERS}ÆØÅæøåÄÖäöéüÉÜ&%=@§!]`, areSepa: false, debtorReferenceMax: 20 },
  checkReference: (reference) =>
    reference.type === 'ocr' ? checkKid(reference.value) : referenceTypeNotUsed('Norway', 'a KID is of type ocr'),
  parsePaymentForm: () => undefined,
  regulatoryReporting: parseReportingTerms('NO'),
  probeNumbers: {
    impossibleAccount: { bban: '86011117948', iban: 'NO0086011117948' },
    exampleAccount: { bban: '86011117947', iban: 'NO9386011117947' },
    exampleReference: '1230',
  },
}

function bankCodeOf(bban: string): string {
  return bban.slice(0, BANK_CODE_DIGITS)
}

/**
 * Nine digits beginning with 8 or 9, the last a modulus 11 check digit. Accepts them in groups of three, also in the
 * format of the VAT register (`NO 923 609 016 MVA`).
 */
function checkNorwegianOrganisationNumber(text: string): CheckResult<'organisationNumber'> {
  const [, written = ''] =
    /^(?:NO ?)?([0-9]{3}([ .]?)[0-9]{3}\2[0-9]{3})(?: ?MVA)?$/i.exec(withPlainSeparators(text)) ?? []
  const organisationNumber = written.replace(/[ .]/g, '')
  if (!/^[89][0-9]{8}$/.test(organisationNumber)) {
    return invalid('is not nine digits beginning with 8 or 9')
  }
  return modulus11(organisationNumber.slice(0, -1), ORGANISATION_NUMBER_WEIGHTS) === Number(organisationNumber.at(-1))
    ? { ok: true, organisationNumber }
    : invalid('has a wrong check digit (modulus 11)')
}
