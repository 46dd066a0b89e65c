/** Revokes a grant at the request of its third party (RFC 7009). */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { grantedToken, lockGrant, revokeGrant } from './oauth-store.ts'

/** Either token revokes the whole grant; unknown tokens and another client's are ignored (RFC 7009, 2.2). */
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
      await revokeGrant(transaction, found.grant_id, context.clock.real())
    }
  })
}
