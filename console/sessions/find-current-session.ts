/** Finds the session of the browser that sent a request, and records that it is in use. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../gateway/context.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import { isRoleLookupDue, SESSION_USE_RECORDED_EVERY_SECONDS, sessionLimitsAt } from '../access/console-session.ts'
import type { BegunSession } from './begin-session.ts'
import { findSession, recordSessionUse } from './console-session-store.ts'
import { readSessionToken } from './session-cookie.ts'

/**
 * The session and its token; undefined when the browser has none, it has ended, or the identity provider must first say
 * again which roles its user has. What is no use does not extend it.
 */
export async function findCurrentSession(
  context: Context,
  request: FastifyRequest,
  { isUse }: { readonly isUse: boolean } = { isUse: true },
): Promise<BegunSession | undefined> {
  const found = await findOpenSession(context, request)
  const real = context.clock.real()
  if (found === undefined || isRoleLookupDue(context.config, found.session, real)) {
    return undefined
  }
  if (isUse && real.since(found.session.lastUsedAt).total('seconds') >= SESSION_USE_RECORDED_EVERY_SECONDS) {
    await recordSessionUse(context.database, found.session.id, real)
  }
  return found
}

/** The same, also where the identity provider must be asked first: it permits nothing. */
export async function findOpenSession(context: Context, request: FastifyRequest): Promise<BegunSession | undefined> {
  const token = readSessionToken(context, request)
  const limits = sessionLimitsAt(context.clock.real())
  const session = token && (await findSession(context.database, hashToken(token), limits))
  return token && session ? { token, session } : undefined
}
