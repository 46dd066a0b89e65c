/** Ends a grant at the wish of the third party that it was given to (RFC 7009). */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { endGrant, grantedToken, lockGrant } from './oauth-store.ts'

/** Either token of a grant ends all of it; a token that is nobody's, or another's, changes nothing and is no error. */
export async function revokeToken(
  context: BankContext,
  bank: BankProfile,
  clientId: string,
  token: string,
): Promise<void> {
  await context.database.query.transaction().execute(async (transaction) => {
    const found = await grantedToken(transaction, bank.bic, token)
    if (found !== undefined && found.client_id === clientId) {
      await lockGrant(transaction, found.grant_id)
      await endGrant(transaction, found.grant_id, context.clock.real())
    }
  })
}
