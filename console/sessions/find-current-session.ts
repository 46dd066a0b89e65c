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

/** The sessions of a disabled partner's users open nothing. */
export async function findViewer(
  context: Context,
  request: FastifyRequest,
  options: { readonly isUse: boolean } = { isUse: true },
): Promise<Viewer | undefined> {
  const current = await findCurrentSession(context, request, options)
  if (current === undefined) {
    return undefined
  }
  const { partnerId } = current.session
  const partner = partnerId === null ? null : await findPartnerById(context, partnerId)
  const isClosed = partner === undefined || (partner !== null && partner.disabledAt !== null)
  const path = request.url.split('?')[0] ?? ''
  const isSandbox = context.config.mode === 'sandbox'
  const businessTime = context.clock.now()
  const isMoved = isSandbox && Math.abs(businessTime.since(context.clock.real()).total('minutes')) >= 1
  const viewer = { ...current, partnerName: partner?.name ?? null, path, isSandbox }
  return isClosed ? undefined : { ...viewer, ...(isMoved ? { businessTime } : {}) }
}
