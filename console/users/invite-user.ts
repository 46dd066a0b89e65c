/** Invites users, and disables them: the operations behind the page and the command. */

import type { AuditAction } from '../../gateway/operators/audit-actions.ts'
import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../../gateway/platform/ids.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { subjectOf } from '../access/console-session.ts'
import { deleteSessions } from '../sessions/console-session-store.ts'
import { deletePasskeys } from './passkey-store.ts'
import { type InvitationError, type InvitedUser, invitationErrorOf, type UserAccount } from './user-account.ts'
import { deleteInvitation, disableUserRow, findActiveUser, upsertInvitation, upsertUser } from './user-store.ts'

/** A user and the token of their link, which is not stored. */
export type Invitation = { readonly user: UserAccount; readonly token: string }

/** The link that an invited user opens, once. */
export function invitationLink(
  { baseUrl }: { readonly baseUrl: string },
  { token }: Pick<Invitation, 'token'>,
): string {
  return `${baseUrl}/console/invitation/${token}`
}

/** Creates a user with an invitation; a disabled one of this name returns, with the new roles. */
export async function inviteUser(
  context: ProgramContext,
  actor: string,
  invited: InvitedUser,
): Promise<Invitation | InvitationError> {
  const error = invitationErrorOf(invited)
  if (error !== undefined) {
    return error
  }
  const user = { ...invited, id: newId(), createdAt: context.clock.real(), disabledAt: null }
  return await inTransaction(context, async (context) => {
    const stored = await upsertUser(context.database, user)
    return stored === undefined ? 'name-in-use' : await invite(context, actor, stored)
  })
}

/** A new link for a user who has lost theirs, or their passkey; undefined when there is no such user. */
export async function inviteAgain(
  context: ProgramContext,
  actor: string,
  userId: string,
): Promise<Invitation | undefined> {
  return await inTransaction(context, async (context) => {
    const user = await findActiveUser(context.database, userId)
    return user && (await invite(context, actor, user))
  })
}

/** Ends the user's sessions, and deletes passkeys and invitation; false when there is no such user. */
export async function disableUser(context: ProgramContext, actor: string, userId: string): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const user = await disableUserRow(context.database, userId, context.clock.real())
    if (user === undefined) {
      return false
    }
    await deletePasskeys(context.database, userId)
    await deleteInvitation(context.database, userId)
    await deleteSessions(context.database, { subject: subjectOf(userId) }, 'all')
    await writeUserEntry(context, actor, user, 'console user disabled')
    return true
  })
}

async function invite(context: ProgramContext, actor: string, user: UserAccount): Promise<Invitation> {
  const token = newToken()
  const invitation = { userId: user.id, tokenHash: hashToken(token), at: context.clock.real() }
  await upsertInvitation(context.database, invitation)
  await writeUserEntry(context, actor, user, 'console user invited')
  return { user, token }
}

async function writeUserEntry(
  context: ProgramContext,
  actor: string,
  { id, name, partnerId, roles }: UserAccount,
  action: AuditAction,
): Promise<void> {
  await writeAuditEntry(context, {
    partnerId: partnerId ?? NO_PARTNER,
    actor,
    action,
    subject: ['console user', id],
    detail: { name, roles },
  })
}
