/** Requires that the PSU is a user of the bank and acts for the company named. */
import type { Context } from './context.ts'
import { actsFor, isCustomer } from './fixture-lookup.ts'
import type { Xs2aCall } from './xs2a/xs2a-call.ts'
import { xs2aError } from './xs2a-error.ts'

/** Rejects an unknown user, or one who does not act for the company named; a call may name no user. */
export function requireKnownUser(
  { fixture }: Context,
  { bank: { bic }, headers: { psuId, psuCorporateId } }: Pick<Xs2aCall, 'bank' | 'headers'>,
  userId: string | null = psuId,
): void {
  if (userId !== null && !isCustomer(fixture, bic, userId)) {
    throw xs2aError(401, 'PSU_CREDENTIALS_INVALID', 'The bank has no user with this PSU-ID', 'PSU-ID')
  }
  if (userId !== null && psuCorporateId !== null && !actsFor(fixture, bic, userId, psuCorporateId)) {
    throw xs2aError(401, 'CORPORATE_ID_INVALID', 'The user does not act for this company', 'PSU-Corporate-ID')
  }
}
