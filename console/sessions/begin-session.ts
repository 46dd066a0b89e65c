/** Begins a session of a user who has signed in, under a new token. */
import type { Context } from '../../gateway/context.ts'
import type { AuditAction } from '../../gateway/operators/audit-actions.ts'
import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../../gateway/platform/ids.ts'
import {
  actorOf,
  type ConsoleSession,
  type ConsoleUser,
  sessionStart,
  storedSessionLimitsAt,
} from '../access/console-session.ts'
import { deleteSessions, deleteSessionsBefore, insertSession } from './console-session-store.ts'

/** What the browser of a session sends with each request. */
export type BegunSession = { readonly token: string; readonly session: ConsoleSession }

const USER_AGENT_CHARACTERS_MAX = 300
/** In place of a browser. */
const COMMAND_LINE = 'havn'

/** Stores the session, ends the one that this browser had, and returns the new token. */
export async function beginSession(
  context: Context,
  user: ConsoleUser,
  browser: { readonly userAgent: string; readonly former: ConsoleSession | undefined },
): Promise<BegunSession> {
  const { subject, name, partnerId, roles, passkeyId = null } = user
  const real = context.clock.real()
  const token = newToken()
  const session: ConsoleSession = {
    id: newId(),
    tokenHash: hashToken(token),
    ...{ subject, name, partnerId, roles, passkeyId },
    userAgent: browser.userAgent.slice(0, USER_AGENT_CHARACTERS_MAX),
    createdAt: sessionStart(user, real),
    lastUsedAt: real,
    rolesReadAt: real,
  }
  await inTransaction(context, async (context) => {
    await deleteSessionsBefore(context.database, storedSessionLimitsAt(real))
    if (browser.former !== undefined) {
      await deleteSessions(context.database, browser.former, browser.former)
    }
    await insertRecorded(context, session, 'signed in to the console')
  })
  return { token, session }
}

/**
 * Begins a session of the same user for the command line, and returns its token. It ends when this one must end, so that
 * one session after the other does not last for longer than a sign-in does.
 */
export async function beginCommandLineSession(context: Context, session: ConsoleSession): Promise<string> {
  const token = newToken()
  const begun = { ...session, id: newId(), tokenHash: hashToken(token), userAgent: COMMAND_LINE }
  await inTransaction(context, async (context) =>
    insertRecorded(context, { ...begun, lastUsedAt: context.clock.real() }, 'signed in to the command line'),
  )
  return token
}

async function insertRecorded(context: Context, session: ConsoleSession, action: AuditAction): Promise<void> {
  await insertSession(context.database, session)
  await writeAuditEntry(context, {
    partnerId: session.partnerId ?? NO_PARTNER,
    actor: actorOf(session),
    action,
    subject: ['console session', session.id],
    detail: { roles: session.roles },
  })
}
