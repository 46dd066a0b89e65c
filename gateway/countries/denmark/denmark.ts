/** The rules of Denmark. */
import type { CountryRules } from '../country.ts'
import { plainIban } from '../iban-rules-from-bban.ts'
import { bankOfDanishAccount, checkDanishAccountNumber } from './account-number.ts'
import { checkDanishReference } from './fik.ts'
import { checkDanishOrganisationNumber } from './organisation-number.ts'

export const denmark: CountryRules = {
  code: 'DK',
  currency: 'DKK',
  timeZone: 'Europe/Copenhagen',
  ...plainIban('DK', checkDanishAccountNumber, bankOfDanishAccount),
  checkAccountNumber: checkDanishAccountNumber,
  bankOf: bankOfDanishAccount,
  checkOrganisationNumber: checkDanishOrganisationNumber,
  checkReference: checkDanishReference,
}
