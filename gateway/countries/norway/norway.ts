/** Assembles the rules of Norway. */
import { bankOfCode } from '../bank-codes.ts'
import type { AccountBank, CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { checkNorwegianAccountNumber } from './account-number.ts'
import { checkNorwegianReference } from './kid.ts'
import { checkNorwegianOrganisationNumber } from './organisation-number.ts'

export const norway: CountryRules = {
  code: 'NO',
  currency: 'NOK',
  timeZone: 'Europe/Oslo',
  ...ibanRulesFromBban('NO', checkNorwegianAccountNumber, bankOf),
  checkAccountNumber: checkNorwegianAccountNumber,
  bankOf,
  checkOrganisationNumber: checkNorwegianOrganisationNumber,
  checkReference: checkNorwegianReference,
}

function bankOf(bban: string): AccountBank | undefined {
  return bankOfCode('NO', bban.slice(0, 4))
}
