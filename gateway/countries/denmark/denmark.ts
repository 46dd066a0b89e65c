/** Assembles the rules of Denmark. */
import type { CountryRules } from '../country.ts'
import { ibanRulesFromBban } from '../iban-rules-from-bban.ts'
import { bankOfDanishAccount, checkDanishAccountNumber } from './account-number.ts'
import { checkDanishReference } from './fik.ts'
import { checkDanishOrganisationNumber } from './organisation-number.ts'

export const denmark: CountryRules = {
  code: 'DK',
  currency: 'DKK',
  timeZone: 'Europe/Copenhagen',
  ...ibanRulesFromBban('DK', checkDanishAccountNumber, bankOfDanishAccount),
  checkAccountNumber: checkDanishAccountNumber,
  bankOf: bankOfDanishAccount,
  checkOrganisationNumber: checkDanishOrganisationNumber,
  checkReference: checkDanishReference,
}
