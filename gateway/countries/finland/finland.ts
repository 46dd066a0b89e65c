/** Assembles the rules of Finland. */

import { withPlainSeparators } from '../../platform/copied-text.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import { modulus11 } from '../check-digits.ts'
import type { CheckResult, CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { formatIban } from '../separators.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import {
  bankOfFinnishAccount,
  checkDigitsOfIban,
  checkFinnishAccountNumber,
  finnishBankCodeOf,
  ibanOfFinnishAccount,
} from './account-number.ts'
import { checkFinnishReference } from './creditor-reference.ts'

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
  railOf: () => 'account',
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
