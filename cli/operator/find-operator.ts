/** Finds out who gives a command: the operator of a session of the console, or the system's user of this machine. */

import { userInfo } from 'node:os'
import { type ConsolePermission, isPermitted } from '../../console/access/console-role.ts'
import {
  actorOf,
  type ConsoleSession,
  isRoleLookupOverdue,
  ROLE_LOOKUP_MINUTES_DEFAULT,
  sessionLimitsAt,
} from '../../console/access/console-session.ts'
import { findSession, recordSessionUse } from '../../console/sessions/console-session-store.ts'
import type { Operator } from '../../gateway/operators/operator-task.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'

/**
 * The operator of the token in HAVN_OPERATOR_TOKEN, together with the system's user. Without a token the database's own
 * credentials are all that the command has proven: it is given by the system's user, under whatever name.
 */
export async function findOperator(context: ProgramContext, environment: NodeJS.ProcessEnv): Promise<Operator> {
  const systemUser = `system user ${environment['HAVN_OPERATOR']?.trim() || userName()}`
  const session = await findOperatorSession(context, environment)
  return session === undefined
    ? { subject: null, name: systemUser, actor: systemUser }
    : { subject: session.subject, name: session.name, actor: `${actorOf(session)}, ${systemUser}` }
}

/** Containers may run as a user that the system does not name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `number ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Throws when the operator of the token lacks the permission; the system's user has all that the database gives. */
export async function requireOperatorPermission(
  context: ProgramContext,
  environment: NodeJS.ProcessEnv,
  permission: ConsolePermission,
): Promise<void> {
  const session = await findOperatorSession(context, environment)
  if (session !== undefined && !isPermitted(session.roles, permission)) {
    throw new Error(`The roles of ${session.name} do not permit this command (${permission})`)
  }
}

async function findOperatorSession(
  { database, clock }: ProgramContext,
  environment: NodeJS.ProcessEnv,
): Promise<ConsoleSession | undefined> {
  const token = environment['HAVN_OPERATOR_TOKEN']?.trim() || undefined
  if (token === undefined) {
    return undefined
  }
  const real = clock.real()
  const session = await findSession(database, hashToken(token), sessionLimitsAt(real))
  const lookupMinutes = Number(environment['HAVN_CONSOLE_ROLE_LOOKUP_MINUTES']?.trim() || ROLE_LOOKUP_MINUTES_DEFAULT)
  if (session === undefined || session.partnerId !== null || isRoleLookupOverdue(session, real, lookupMinutes)) {
    throw new Error(
      'HAVN_OPERATOR_TOKEN is of no open session of an operator; create another one under “Your sessions”',
    )
  }
  await recordSessionUse(database, session.id, real)
  return session
}
