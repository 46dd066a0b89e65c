/** Finds the session of a request, and the viewer of it. */
import type { FastifyRequest } from 'fastify'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import { isRoleLookupDue, SESSION_USE_RECORDED_EVERY_SECONDS, sessionLimitsAt } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import type { BegunSession } from './begin-session.ts'
import { findSession, recordSessionUse } from './console-session-store.ts'
import { readSessionToken } from './session-cookie.ts'

/** The session and its token, also where the identity provider must be asked first: it permits nothing then. */
export async function findOpenSession(context: Context, request: FastifyRequest): Promise<BegunSession | undefined> {
  const token = readSessionToken(context, request)
  const limits = sessionLimitsAt(context.clock.real())
  const session = token && (await findSession(context.database, hashToken(token), limits))
  return token && session ? { token, session } : undefined
}

/**
 * Undefined when the browser has no session, it has ended, the identity provider must first say again which roles its
 * user has, or the user's partner is disabled. What is no use does not extend the session.
 */
export async function findViewer(
  context: Context,
  request: FastifyRequest,
  { isUse }: { readonly isUse: boolean } = { isUse: true },
): Promise<Viewer | undefined> {
  const { config, clock, database } = context
  const current = await findOpenSession(context, request)
  const real = clock.real()
  if (current === undefined || isRoleLookupDue(config, current.session, real)) {
    return undefined
  }
  const { id, partnerId, lastUsedAt } = current.session
  if (isUse && real.since(lastUsedAt).total('seconds') >= SESSION_USE_RECORDED_EVERY_SECONDS) {
    await recordSessionUse(database, id, real)
  }
  const partner = partnerId === null ? null : await findPartnerById(context, partnerId)
  if (partner === undefined || (partner !== null && partner.disabledAt !== null)) {
    return undefined
  }
  const path = request.url.split('?')[0] ?? ''
  const isSandbox = config.mode === 'sandbox'
  const businessTime = clock.now()
  const isMoved = isSandbox && Math.abs(businessTime.since(real).total('minutes')) >= 1
  const viewer = { ...current, partnerName: partner?.name ?? null, path, isSandbox }
  return isMoved ? { ...viewer, businessTime } : viewer
}
