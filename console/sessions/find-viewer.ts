/** Finds out who sent a request. */
import type { FastifyRequest } from 'fastify'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import type { Viewer } from '../access/viewer.ts'
import { findCurrentSession } from './find-current-session.ts'

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
