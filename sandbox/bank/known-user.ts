/** Makes sure that the user a third party names is one of the bank's, and acts for the company named. */
import type { BankContext } from './bank-context.ts'
import type { BankProfile } from './fixture.ts'
import { refuse } from './refusal.ts'
import { actsFor, isCustomer } from './world.ts'

/** Refuses a user the bank does not know, or who does not act for the company named. */
export function requireKnownUser(
  { world }: BankContext,
  bank: BankProfile,
  userId: string,
  organisationNumber: string | null,
): void {
  if (!isCustomer(world, bank.bic, userId)) {
    throw refuse(401, 'PSU_CREDENTIALS_INVALID', 'The bank knows no user by this PSU-ID', 'PSU-ID')
  }
  if (organisationNumber !== null && !actsFor(world, bank.bic, userId, organisationNumber)) {
    throw refuse(401, 'CORPORATE_ID_INVALID', 'The user does not act for this company', 'PSU-Corporate-ID')
  }
}
