/** Assembles the rules of Finland. */
import type { CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { bankOfFinnishAccount, checkFinnishAccountNumber } from './account-number.ts'
import { checkFinnishReference } from './creditor-reference.ts'
import { checkFinnishOrganisationNumber } from './organisation-number.ts'

export const finland: CountryRules = {
  code: 'FI',
  currency: 'EUR',
  timeZone: 'Europe/Helsinki',
  ...ibanRulesFromBban('FI', checkFinnishAccountNumber, bankOfFinnishAccount),
  checkAccountNumber: checkFinnishAccountNumber,
  bankOf: bankOfFinnishAccount,
  checkOrganisationNumber: checkFinnishOrganisationNumber,
  checkReference: checkFinnishReference,
}
