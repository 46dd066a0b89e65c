/** Assembles the rules of Norway. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import regulatoryCodes from '../../../data/regulatory-codes.json' with { type: 'json' }
import { bankCodeTable } from '../bank-codes.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import type { AccountBank, CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { parseReportingTerms } from '../reporting-terms.ts'
import { SEPA_CHARACTERS } from '../unsupported-characters.ts'
import { checkNorwegianAccountNumber } from './account-number.ts'
import { checkNorwegianReference } from './kid.ts'
import { norwegianForms } from './organisation-forms.ts'
import { checkNorwegianOrganisationNumber } from './organisation-number.ts'

const BANK_CODE_DIGITS = 4
const bankOfCode = bankCodeTable(nordicBanks.NO)

export const norway: CountryRules = {
  currency: 'NOK',
  timeZone: 'Europe/Oslo',
  language: 'nb',
  bankHolidays: {
    fixed: ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY],
  },
  ...ibanRulesFromBban('NO', checkNorwegianAccountNumber, bankOf),
  checkAccountNumber: checkNorwegianAccountNumber,
  bankOf,
  bankCodeDigits: BANK_CODE_DIGITS,
  railOf: () => 'account',
  clearingMemberOf: () => null,
  checkOrganisationNumber: checkNorwegianOrganisationNumber,
  organisationForms: norwegianForms,
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

function bankOf(bban: string): AccountBank | undefined {
  return bankOfCode(bban.slice(0, BANK_CODE_DIGITS))
}
