/** Assembles the rules of Norway. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import regulatoryCodes from '../../../data/regulatory-codes.json' with { type: 'json' }
import { withPlainSeparators } from '../../platform/copied-text.ts'
import { bankCodeTable } from '../bank-codes.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import { modulus11 } from '../check-digits.ts'
import type { AccountBank, CheckResult, CountryRules } from '../country.ts'
import { parseReportingTerms } from '../reporting-terms.ts'
import { ibanRulesFromBban } from '../separators.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import { checkNorwegianAccountNumber, formatNorwegianAccountNumber } from './account-number.ts'
import { checkNorwegianReference } from './kid.ts'

const BANK_CODE_DIGITS = 4
const bankOfCode = bankCodeTable(nordicBanks.NO)

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
  formatAccountNumber: formatNorwegianAccountNumber,
  bankOf,
  bankCodeOf,
  hasClearingCodes: true,
  kindOfNumber: () => 'account',
  clearingMemberOf: () => null,
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
  checkReference: checkNorwegianReference,
  parsePaymentForm: () => undefined,
  regulatoryReporting: parseReportingTerms(regulatoryCodes.countries.NO),
  probeNumbers: {
    impossibleAccount: { bban: '86011117948', iban: 'NO0086011117948' },
    exampleAccount: { bban: '86011117947', iban: 'NO9386011117947' },
    exampleReference: '1230',
  },
}

function bankCodeOf(bban: string): string {
  return bban.slice(0, BANK_CODE_DIGITS)
}

function bankOf(bban: string): AccountBank | undefined {
  return bankOfCode(bankCodeOf(bban))
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
    return { ok: false, reason: 'is not nine digits beginning with 8 or 9' }
  }
  return modulus11(organisationNumber.slice(0, -1), ORGANISATION_NUMBER_WEIGHTS) === Number(organisationNumber.at(-1))
    ? { ok: true, organisationNumber }
    : { ok: false, reason: 'has a wrong check digit (modulus 11)' }
}
