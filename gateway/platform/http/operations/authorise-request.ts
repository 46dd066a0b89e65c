/** Authorises a request as its operation demands: token, rate, permission, headers and consent, in this order. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { wallMilliseconds } from '../../clock.ts'
import { ApiError } from '../errors/api-error.ts'
import { type FindRequest, type IdempotencyDependencies, readIdempotencyKey } from '../idempotency/idempotency.ts'
import type { IdempotencyKey } from '../idempotency/idempotency-store.ts'
import { fingerprintOf } from '../idempotency/serve-idempotent.ts'
import { type PsuSession, readPsuSession } from './psu-session.ts'
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
  const partner = await gatekeepers.authenticate(request.headers.authorization).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.reasonCode === 'unauthenticated') {
      if (error.extras.caller !== undefined) {
        callers.set(request, error.extras.caller)
      }
      // It counts against its IP address, since its client is unknown.
      await gatekeepers.limitUnauthenticated(request, reply)
    }
    throw error
  })
  callers.set(request, partner)
  await gatekeepers.limitRate(operation, request, reply, partner)
  if (operation.permission !== undefined) {
    await gatekeepers.requirePermission(partner, operation.permission)
  }
  return partner
}

/** Also of requests that are rejected although their client is known, because its token has expired for example. */
const callers = new WeakMap<FastifyRequest, PartnerIdentity>()

/** The client of a request, where it is known. */
export function callerOf(request: FastifyRequest): PartnerIdentity | undefined {
  return callers.get(request)
}

/** So that verifying tokens of broken requests, which count against no other limit, takes no noticeable time. */
const IDENTIFIED_PER_SECOND_MAX = 20

/** Identifies the clients of requests that cannot be parsed: they are rejected before their token is verified. */
export function createCallerIdentifier({
  authenticate,
}: Pick<RequestGuards<PartnerIdentity, never>, 'authenticate'>): (request: FastifyRequest) => Promise<void> {
  let current = { second: 0, identified: 0 }
  return async (request) => {
    const second = Math.floor(wallMilliseconds() / 1000)
    const identified = second === current.second ? current.identified : 0
    if (callers.has(request) || identified >= IDENTIFIED_PER_SECOND_MAX) {
      return
    }
    current = { second, identified: identified + 1 }
    const caller = await authenticate(request.headers.authorization).catch(() => undefined)
    if (caller !== undefined) {
      callers.set(request, caller)
    }
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
