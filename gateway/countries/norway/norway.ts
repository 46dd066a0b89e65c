/** Assembles the rules of Norway. */

import { bankOfCode } from '../bank-codes.ts'
import { ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, MAUNDY_THURSDAY, WHIT_MONDAY } from '../bank-holidays.ts'
import type { AccountBank, CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { checkNorwegianAccountNumber } from './account-number.ts'
import { checkNorwegianReference } from './kid.ts'
import { checkNorwegianOrganisationNumber } from './organisation-number.ts'

export const norway: CountryRules = {
  currency: 'NOK',
  timeZone: 'Europe/Oslo',
  bankHolidays: {
    fixed: ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'],
    afterEaster: [MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY],
  },
  ...ibanRulesFromBban('NO', checkNorwegianAccountNumber, bankOf),
  checkAccountNumber: checkNorwegianAccountNumber,
  bankOf,
  checkOrganisationNumber: checkNorwegianOrganisationNumber,
  checkReference: checkNorwegianReference,
}

function bankOf(bban: string): AccountBank | undefined {
  return bankOfCode('NO', bban.slice(0, 4))
}
