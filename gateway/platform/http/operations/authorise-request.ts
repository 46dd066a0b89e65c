/** Authorises a request as its operation demands: token, rate, permission, headers and consent, in this order. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { ApiError } from '../errors/api-error.ts'
import { readIdempotencyKey } from '../idempotency/idempotency.ts'
import type { IdempotencyKey } from '../idempotency/idempotency-store.ts'
import { fingerprintOf } from '../idempotency/request-fingerprint.ts'
import { type PsuSession, readPsuSession } from './psu-session.ts'
import type { PartnerIdentity, RequestGuards, ServeSettings } from './served-operation.ts'

/** The authenticated caller; null where the operation needs none. */
export type AuthorisedRequest<Partner, Consent> = {
  readonly partner: Partner | null
  readonly consent: Consent | null
  readonly psu: PsuSession | null
  /** The `Idempotency-Key` header where the operation accepts one. */
  readonly idempotencyKey: string | undefined
}

/** Throws the error of the first check that fails. */
export async function authoriseRequest<Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthorisedRequest<Partner, Consent>> {
  const { gatekeepers } = settings
  if (operation.admits === 'anyone') {
    await gatekeepers.limitRate(operation, request, reply, null)
    return { partner: null, consent: null, psu: null, idempotencyKey: undefined }
  }
  const partner = await authoriseCaller(gatekeepers, operation, request, reply)
  const psu =
    operation.psu === 'none'
      ? null
      : readPsuSession(request.headers, {
          required: operation.psu === 'required',
          privateAllowed: settings.privatePsuAddressesAllowed,
        })
  const idempotencyKey = operation.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
  const consent =
    operation.admits === 'consent'
      ? await gatekeepers.requireConsent(partner, consentIdOf(request), operation.consentState ?? 'accepted')
      : null
  return { partner, consent, psu, idempotencyKey }
}

/** The checks that need no body: token, rate and permission. Throws the error of the first that fails. */
export async function authoriseCaller<Partner extends PartnerIdentity, Consent>(
  gatekeepers: RequestGuards<Partner, Consent>,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Partner> {
  const partner = await authenticate(gatekeepers, request, reply)
  await gatekeepers.limitRate(operation, request, reply, partner)
  if (operation.permission !== undefined) {
    await gatekeepers.requirePermission(partner, operation.permission)
  }
  return partner
}

/** A request without a valid token counts against its IP address, since its client is unknown. */
async function authenticate<Partner extends PartnerIdentity, Consent>(
  gatekeepers: RequestGuards<Partner, Consent>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Partner> {
  try {
    return await gatekeepers.authenticate(request.headers.authorization)
  } catch (error) {
    if (error instanceof ApiError && error.reasonCode === 'unauthenticated') {
      await gatekeepers.limitUnauthenticated(request, reply)
    }
    throw error
  }
}

/** The idempotent request of the key, or undefined when the request has no key. */
export async function idempotencyKeyOf<Partner extends PartnerIdentity, Consent>(
  operation: Operation,
  { partner, idempotencyKey: key }: AuthorisedRequest<Partner, Consent>,
  request: FastifyRequest,
): Promise<IdempotencyKey | undefined> {
  if (key === undefined || partner === null) {
    return undefined
  }
  return {
    partnerId: partner.partnerId,
    operation: `${operation.method} ${pathOf(operation, request)}`,
    key,
    fingerprint: await fingerprintOf(request.body, consentIdOf(request)),
  }
}

/** The contract's path with the values of its parameters: a URL has more than one spelling. */
function pathOf({ path }: Operation, { params }: FastifyRequest): string {
  const values = new Map<string, unknown>(Object.entries(Object(params)))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
}

function consentIdOf(request: FastifyRequest): string {
  const header = request.headers['consent-id']
  return typeof header === 'string' ? header : ''
}
