/** Ends sessions, a user's own and for administrators those of any user: the operations behind the pages and the command. */

import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { actorOf, type ConsoleSession, sessionLimitsAt } from '../access/console-session.ts'
import { deleteSessions, findSessionById, listAllSessions } from './console-session-store.ts'

/** Several times as many as an installation has users at work. */
const SESSIONS_LISTED_MAX = 1_000

/** The open sessions of all users, those last used first. */
export async function listOpenSessions({ database, clock }: ProgramContext): Promise<readonly ConsoleSession[]> {
  return await listAllSessions(database, sessionLimitsAt(clock.real()), SESSIONS_LISTED_MAX)
}

/** Ends one session, or all sessions of its user; false when there is no such session. */
export async function endSession(
  context: ProgramContext,
  actor: string,
  id: string,
  { ofUser }: { readonly ofUser: boolean },
): Promise<boolean> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const session = await findSessionById(context.database, id, sessionLimitsAt(clock.real()))
    if (session === undefined) {
      return false
    }
    const sessions = await deleteSessions(context.database, session, ofUser ? 'all' : session)
    const { subject, name, partnerId } = session
    await writeAuditEntry(context, {
      partnerId: partnerId ?? NO_PARTNER,
      actor,
      action: 'console sessions ended',
      subject: ['console session', id],
      detail: { user: subject, name, sessions },
    })
    return true
  })
}

/** Ends the session of the current one's user that has this id, or all but the current one; returns how many. */
export async function endOwnSessions(
  context: ProgramContext,
  current: ConsoleSession,
  which: { readonly id: string } | { readonly butId: string },
): Promise<number> {
  return await inTransaction(context, async (context) => {
    const sessions = await deleteSessions(context.database, current, which)
    if (sessions > 0) {
      await writeAuditEntry(context, {
        partnerId: current.partnerId ?? NO_PARTNER,
        actor: actorOf(current),
        action: 'own console sessions ended',
        subject: ['console session', 'id' in which ? which.id : which.butId],
        detail: { sessions },
      })
    }
    return sessions
  })
}
