/** Assembles the rules of Sweden. */
import regulatoryCodes from '../../../data/regulatory-codes.json' with { type: 'json' }
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, midsummerEve } from '../bank-holidays.ts'
import type { CountryRules } from '../country.ts'
import { parseReportingTerms } from '../reporting-terms.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import { checkSwedishAccountNumber } from './account-number.ts'
import { bankOfSwedishAccount, CLEARING_DIGITS, swedishClearingMember } from './clearing-numbers.ts'
import { giroKind } from './giro.ts'
import { bankOfSwedishIban, bbanOfSwedishIban, checkSwedishIban, swedishIban } from './iban.ts'
import { birthDateOfSwedishId } from './national-id.ts'
import { checkSwedishReference } from './ocr.ts'
import { swedishForms } from './organisation-forms.ts'
import { checkSwedishOrganisationNumber } from './organisation-number.ts'

export const sweden: CountryRules = {
  currency: 'SEK',
  timeZone: 'Europe/Stockholm',
  language: 'sv',
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
  bankOf: bankOfSwedishAccount,
  bankCodeDigits: CLEARING_DIGITS,
  railOf: (creditorBban) => giroKind(creditorBban) ?? 'account',
  clearingMemberOf: swedishClearingMember,
  checkOrganisationNumber: checkSwedishOrganisationNumber,
  organisationForms: swedishForms,
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
