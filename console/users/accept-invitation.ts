/** Accepts an invitation: its user creates their first passkey, which replaces those that they had. */
import type { Context } from '../../gateway/context.ts'
import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import { actorOf, subjectOf } from '../access/console-session.ts'
import { deletePasskeys, insertPasskey, type NewPasskey } from './passkey-store.ts'
import { INVITATION_HOURS, type UserAccount } from './user-account.ts'
import { deleteInvitation, findInvitedUser, lockActiveUser } from './user-store.ts'

/** The user of a link that was not used; undefined for any other. */
export async function findInvitation({ database, clock }: Context, token: string): Promise<UserAccount | undefined> {
  return await findInvitedUser(database, hashToken(token), clock.real().subtract({ hours: INVITATION_HOURS }))
}

/** Consumes the link, and ends the sessions of former passkeys with these. The user of a second invitation has lost the former passkeys, or another person has them. */
export async function acceptInvitation(
  context: Context,
  token: string,
  passkey: NewPasskey,
): Promise<UserAccount | undefined> {
  return await inTransaction(context, async (context) => {
    const invited = await findInvitation(context, token)
    const user = invited && (await lockActiveUser(context.database, invited.id))
    if (user === undefined || !(await deleteInvitation(context.database, user.id, hashToken(token)))) {
      return undefined
    }
    const at = context.clock.real()
    await deletePasskeys(context.database, user.id)
    await insertPasskey(context.database, { ...passkey, userId: user.id, createdAt: at, lastUsedAt: null })
    await writeAuditEntry(context, {
      partnerId: user.partnerId ?? NO_PARTNER,
      actor: actorOf({ ...user, subject: subjectOf(user.id) }),
      action: 'passkey created',
      subject: ['console user', user.id],
    })
    return user
  })
}
