/** Assembles the rules of Sweden. */
import type { CountryRules } from '../country.ts'
import { checkSwedishAccountNumber } from './account-number.ts'
import { bankOfSwedishAccount } from './clearing-numbers.ts'
import { bankOfSwedishIban, bbanOfSwedishIban, checkSwedishIban, swedishIban } from './iban.ts'
import { checkSwedishReference } from './ocr.ts'
import { checkSwedishOrganisationNumber } from './organisation-number.ts'

export const sweden: CountryRules = {
  code: 'SE',
  currency: 'SEK',
  timeZone: 'Europe/Stockholm',
  ibanOf: swedishIban,
  bbanOf: bbanOfSwedishIban,
  checkIban: checkSwedishIban,
  bankOfIban: bankOfSwedishIban,
  checkAccountNumber: checkSwedishAccountNumber,
  bankOf: bankOfSwedishAccount,
  checkOrganisationNumber: checkSwedishOrganisationNumber,
  checkReference: checkSwedishReference,
}
