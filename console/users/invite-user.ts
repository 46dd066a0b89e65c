/** Invites users, and disables them: the operations behind the page and the command. */
import type { Context } from '../../gateway/context.ts'
import { NO_PARTNER } from '../../gateway/operators/audit-entry.ts'
import { writeAuditEntry } from '../../gateway/operators/write-audit-entry.ts'
import { inTransaction, type Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../../gateway/platform/ids.ts'
import { deleteSessionsOf } from '../sessions/console-session-store.ts'
import { deletePasskeys } from './passkey-store.ts'
import {
  type InvitationError,
  type InvitedUser,
  invitationErrorOf,
  subjectOf,
  type UserAccount,
} from './user-account.ts'
import { deleteInvitation, disableUserRow, findActiveUser, upsertInvitation, upsertUser } from './user-store.ts'

type UserContext = Pick<Context, 'database' | 'clock'>

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
  { database, clock }: UserContext,
  actor: string,
  invited: InvitedUser,
): Promise<Invitation | InvitationError> {
  const error = invitationErrorOf(invited)
  if (error !== undefined) {
    return error
  }
  const user = { ...invited, id: newId(), createdAt: clock.real(), disabledAt: null }
  return await inTransaction(database, async (within) => {
    const stored = await upsertUser(within, user)
    return stored === undefined ? 'name-in-use' : await invite({ database: within, clock }, actor, stored)
  })
}

/** A new link for a user who has lost theirs, or their passkey; undefined when there is no such user. */
export async function inviteAgain(
  { database, clock }: UserContext,
  actor: string,
  userId: string,
): Promise<Invitation | undefined> {
  return await inTransaction(database, async (within) => {
    const user = await findActiveUser(within, userId)
    return user && (await invite({ database: within, clock }, actor, user))
  })
}

/** Ends the user's sessions, and deletes passkeys and invitation; false when there is no such user. */
export async function disableUser({ database, clock }: UserContext, actor: string, userId: string): Promise<boolean> {
  return await inTransaction(database, async (within) => {
    const user = await disableUserRow(within, userId, clock.real())
    if (user === undefined) {
      return false
    }
    await deletePasskeys(within, userId)
    await deleteInvitation(within, userId)
    await deleteSessionsOf(within, { subject: subjectOf(userId) })
    await writeUserEntry({ database: within, clock }, actor, user, 'console user disabled')
    return true
  })
}

async function invite(
  context: { readonly database: Queryable } & Pick<Context, 'clock'>,
  actor: string,
  user: UserAccount,
): Promise<Invitation> {
  const token = newToken()
  const invitation = { userId: user.id, tokenHash: hashToken(token), at: context.clock.real() }
  await upsertInvitation(context.database, invitation)
  await writeUserEntry(context, actor, user, 'console user invited')
  return { user, token }
}

async function writeUserEntry(
  context: { readonly database: Queryable } & Pick<Context, 'clock'>,
  actor: string,
  { id, name, partnerId, roles }: UserAccount,
  action: string,
): Promise<void> {
  await writeAuditEntry(context, {
    partnerId: partnerId ?? NO_PARTNER,
    actor,
    action,
    subject: ['console user', id],
    detail: { name, roles },
  })
}
