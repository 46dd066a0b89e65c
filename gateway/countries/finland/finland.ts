/** Assembles the rules of Finland. */
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import type { CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import { BANK_PREFIX_DIGITS, bankOfFinnishAccount, checkFinnishAccountNumber } from './account-number.ts'
import { checkFinnishReference } from './creditor-reference.ts'
import { finnishForms } from './organisation-forms.ts'
import { checkFinnishOrganisationNumber } from './organisation-number.ts'

export const finland: CountryRules = {
  currency: 'EUR',
  timeZone: 'Europe/Helsinki',
  language: 'fi',
  bankHolidays: {
    fixed: ['01-01', '01-06', '05-01', '12-06', '12-24', '12-25', '12-26'],
    afterEaster: [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION],
    moving: (year) => [midsummerEve(year)],
  },
  ...ibanRulesFromBban('FI', checkFinnishAccountNumber, bankOfFinnishAccount),
  checkAccountNumber: checkFinnishAccountNumber,
  bankOf: bankOfFinnishAccount,
  bankCodeDigits: BANK_PREFIX_DIGITS,
  railOf: () => 'account',
  clearingMemberOf: () => null,
  checkOrganisationNumber: checkFinnishOrganisationNumber,
  organisationForms: finnishForms,
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
