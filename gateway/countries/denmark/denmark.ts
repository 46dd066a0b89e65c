/** Assembles the rules of Denmark. */
import { ASCENSION, EASTER_MONDAY, easterSunday, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import type { CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import {
  bankOfDanishAccount,
  checkDanishAccountNumber,
  REGISTRATION_DIGITS,
  railOfDanishCreditor,
} from './account-number.ts'
import { checkDanishReference, parseFikReference } from './fik.ts'
import { danishForms } from './organisation-forms.ts'
import { checkDanishOrganisationNumber } from './organisation-number.ts'

/** Abolished as a holiday from 2024. */
const GREAT_PRAYER_DAY_LAST_YEAR = 2023
/** Days after Easter Sunday. */
const GREAT_PRAYER_DAY = 26

export const denmark: CountryRules = {
  currency: 'DKK',
  timeZone: 'Europe/Copenhagen',
  language: 'da',
  bankHolidays: {
    fixed: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, ASCENSION + 1, WHIT_MONDAY],
    moving: (year) => (year <= GREAT_PRAYER_DAY_LAST_YEAR ? [easterSunday(year).add({ days: GREAT_PRAYER_DAY })] : []),
  },
  ...ibanRulesFromBban('DK', checkDanishAccountNumber, bankOfDanishAccount),
  checkAccountNumber: checkDanishAccountNumber,
  bankOf: bankOfDanishAccount,
  bankCodeDigits: REGISTRATION_DIGITS,
  railOf: railOfDanishCreditor,
  clearingMemberOf: () => null,
  checkOrganisationNumber: checkDanishOrganisationNumber,
  organisationForms: danishForms,
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
