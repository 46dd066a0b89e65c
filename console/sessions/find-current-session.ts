/** Finds the session of the browser that sent a request, and records that it is in use. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../gateway/context.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import type { BegunSession } from './begin-session.ts'
import { SESSION_USE_RECORDED_EVERY_SECONDS, sessionLimitsAt } from './console-session.ts'
import { findSession, recordSessionUse } from './console-session-store.ts'
import { readSessionToken } from './session-cookie.ts'

/** The session and its token; undefined when the browser has none, or it has ended. What is no use does not extend it. */
export async function findCurrentSession(
  context: Pick<Context, 'config' | 'database' | 'clock'>,
  request: FastifyRequest,
  { isUse }: { readonly isUse: boolean } = { isUse: true },
): Promise<BegunSession | undefined> {
  const { database, clock } = context
  const token = readSessionToken(context, request)
  const real = clock.real()
  const session = token && (await findSession(database, hashToken(token), sessionLimitsAt(real)))
  if (!token || !session) {
    return undefined
  }
  if (isUse && real.since(session.lastUsedAt).total('seconds') >= SESSION_USE_RECORDED_EVERY_SECONDS) {
    await recordSessionUse(database, session.id, real)
  }
  return { token, session }
}
