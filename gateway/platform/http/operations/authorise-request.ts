/** Authorises a request as its operation demands: token, rate, permission, headers and consent, in this order. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { ApiError } from '../errors/api-error.ts'
import { type FindRequest, type IdempotencyDependencies, readIdempotencyKey } from '../idempotency/idempotency.ts'
import type { IdempotencyKey } from '../idempotency/idempotency-store.ts'
import { fingerprintOf } from '../idempotency/serve-idempotent.ts'
import { type PsuSession, readPsuSession } from './psu-session.ts'
import { rememberCaller } from './record-exchange.ts'
import type { PartnerIdentity, RequestGuards, ServeSettings } from './served-operation.ts'

/** The authenticated caller; null where the operation needs none. */
export type AuthorisedRequest<Partner, Consent> = {
  readonly partner: Partner | null
  readonly consent: Consent | null
  readonly psu: PsuSession | null
  /** The request by its `Idempotency-Key`, where the operation accepts one and the partner sent one. */
  readonly keyed: KeyedRequest | undefined
}

/** `stored` is the state of an earlier request with this key. */
export type KeyedRequest = { readonly key: IdempotencyKey; readonly stored: ReturnType<FindRequest> }

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
    return { partner: null, consent: null, psu: null, keyed: undefined }
  }
  const partner = await authoriseCaller(gatekeepers, operation, request, reply)
  const psu =
    operation.psu === 'none'
      ? null
      : readPsuSession(request.headers, {
          required: operation.psu === 'required',
          privateAllowed: settings.privatePsuAddressesAllowed,
        })
  const keyed = await keyedRequestOf(settings.idempotency, operation, partner, request)
  const consent =
    operation.admits === 'consent'
      ? await gatekeepers.requireConsent(partner, consentIdOf(request), operation.consentState ?? 'accepted')
      : null
  return { partner, consent, psu, keyed }
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
    const partner = await gatekeepers.authenticate(request.headers.authorization)
    rememberCaller(request, partner)
    return partner
  } catch (error) {
    if (error instanceof ApiError && error.reasonCode === 'unauthenticated') {
      if (error.extras.caller !== undefined) {
        rememberCaller(request, error.extras.caller)
      }
      await gatekeepers.limitUnauthenticated(request, reply)
    }
    throw error
  }
}

/** Undefined without a key. The earlier request is looked up while the consent is: neither needs the other. */
async function keyedRequestOf<Partner extends PartnerIdentity>(
  { find, digest }: Pick<IdempotencyDependencies, 'find' | 'digest'>,
  operation: Operation,
  { partnerId }: Partner,
  request: FastifyRequest,
): Promise<KeyedRequest | undefined> {
  const name = operation.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
  if (name === undefined) {
    return undefined
  }
  const key = {
    partnerId,
    operation: `${operation.method} ${pathOf(operation, request)}`,
    key: name,
    // The body may hold a national id or a salary, which could be guessed from a digest without a key.
    fingerprint: await digest(await fingerprintOf(request.body, consentIdOf(request)), `request of ${partnerId}`),
  }
  const stored = find(key)
  // Nothing waits for it when the consent is rejected.
  stored.catch(() => undefined)
  return { key, stored }
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
