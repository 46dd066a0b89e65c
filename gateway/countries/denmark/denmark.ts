/** Assembles the rules of Denmark. */

import { withPlainSeparators } from '../../platform/copied-text.ts'
import { ASCENSION, EASTER_MONDAY, easterSunday, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import { modulus11 } from '../check-digits.ts'
import type { CheckResult, CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import {
  bankOfDanishAccount,
  checkDanishAccountNumber,
  formatDanishAccountNumber,
  railOfDanishCreditor,
  registrationNumberOf,
} from './account-number.ts'
import { checkDanishReference, parseFikReference } from './fik.ts'

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
  formatAccountNumber: formatDanishAccountNumber,
  bankOf: bankOfDanishAccount,
  bankCodeOf: registrationNumberOf,
  hasClearingCodes: true,
  railOf: railOfDanishCreditor,
  clearingMemberOf: () => null,
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
    return { ok: false, reason: 'is not eight digits beginning with 1 to 9' }
  }
  return modulus11(organisationNumber, ORGANISATION_NUMBER_WEIGHTS) === 0
    ? { ok: true, organisationNumber }
    : { ok: false, reason: 'has a wrong check digit (modulus 11)' }
}
