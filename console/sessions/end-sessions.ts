/** Ends sessions of any user, for administrators: the operations behind the page and the command. */

import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { type ConsoleSession, sessionLimitsAt } from '../access/console-session.ts'
import { deleteSession, deleteSessionsOf, findSessionById, listAllSessions } from './console-session-store.ts'

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
    const sessions = ofUser
      ? await deleteSessionsOf(context.database, session)
      : Number(await deleteSession(context.database, session))
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
