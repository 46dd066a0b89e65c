/** Requires that the PSU is a user of the bank and acts for the company named. */
import type { Context } from './context.ts'
import type { BankProfile } from './fixture.ts'
import { actsFor, isCustomer } from './fixture-lookup.ts'
import { xs2aError } from './xs2a-error.ts'

/** Rejects an unknown user, or one who does not act for the company named. */
export function requireKnownUser(
  { fixture }: Context,
  bank: BankProfile,
  userId: string,
  organisationNumber: string | null,
): void {
  if (!isCustomer(fixture, bank.bic, userId)) {
    throw xs2aError(401, 'PSU_CREDENTIALS_INVALID', 'The bank has no user with this PSU-ID', 'PSU-ID')
  }
  if (organisationNumber !== null && !actsFor(fixture, bank.bic, userId, organisationNumber)) {
    throw xs2aError(401, 'CORPORATE_ID_INVALID', 'The user does not act for this company', 'PSU-Corporate-ID')
  }
}
