/** Authorises a request as its operation demands: token, rate, permission, headers and consent, in this order. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { wallMilliseconds } from '../../clock.ts'
import { ApiError, apiError } from '../errors/api-error.ts'
import { findRequest } from '../idempotency/idempotency.ts'
import type { IdempotencyKey, StoredRequest } from '../idempotency/idempotency-store.ts'
import { fingerprintOf } from '../idempotency/serve-idempotent.ts'
import { isPublicAddress } from '../ip-address.ts'
import type { PartnerIdentity, PsuSession, RequestGuards, ServeSettings } from './served-operation.ts'

export type AuthorisedRequest = {
  /** Null where the operation needs none; with the fields that the guards of the server add. */
  readonly caller: (PartnerIdentity & { readonly psu: PsuSession | null; readonly consent: unknown }) | null
  /** The request by its `Idempotency-Key`, where the operation accepts one and the partner sent one. */
  readonly keyed: KeyedRequest | undefined
}

/** `stored` is the state of an earlier request with this key. */
export type KeyedRequest = { readonly key: IdempotencyKey; readonly stored: Promise<StoredRequest | null> }

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

/** Throws the error of the first check that fails. */
export async function authoriseRequest(
  settings: ServeSettings,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthorisedRequest> {
  const { gatekeepers } = settings
  const { headers } = request
  if (operation.admits === 'anyone') {
    gatekeepers.limitRate(operation, request, reply, null)
    return { caller: null, keyed: undefined }
  }
  const partner = await authoriseCaller(gatekeepers, operation, request, reply)
  const need = { required: operation.psu === 'required', privateAllowed: settings.privatePsuAddressesAllowed }
  const psu = operation.psu === 'none' ? null : readPsuSession(headers, need)
  const consentId = String(headers['consent-id'] ?? '').toLowerCase()
  const name = operation.idempotent ? headers['idempotency-key'] : undefined
  let keyed: KeyedRequest | undefined
  if (name !== undefined) {
    if (typeof name !== 'string' || !IDEMPOTENCY_KEY.test(name)) {
      throw apiError('bad-request', 'The header Idempotency-Key must have 1 to 255 printable ASCII characters')
    }
    const { pool, digest } = settings.idempotency
    const { partnerId } = partner
    const params: Readonly<Record<string, unknown>> = Object(request.params)
    // The contract's path with the values of its parameters: a URL has more than one spelling, and so has a UUID.
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
      encodeURIComponent(String(params[parameter]).toLowerCase()),
    )
    const key = {
      partnerId,
      operation: `${operation.method} ${path}`,
      key: name,
      // The body may hold a national id or a salary, which could be guessed from a digest without a key.
      fingerprint: await digest(await fingerprintOf(request.body, consentId), `request of ${partnerId}`),
    }
    // Looked up while the consent is: neither needs the other, and nothing waits for it when the consent is rejected.
    keyed = { key, stored: findRequest(pool, key) }
    keyed.stored.catch(() => undefined)
  }
  const consent =
    operation.admits === 'consent'
      ? await gatekeepers.requireConsent(partner, consentId, operation.consentState ?? 'accepted')
      : null
  return { caller: { ...partner, psu, consent }, keyed }
}

/** The checks that need no body: token, rate and permission. Throws the error of the first that fails. */
export async function authoriseCaller(
  gatekeepers: RequestGuards,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PartnerIdentity> {
  const partner = await gatekeepers.authenticate(request.headers.authorization).catch((error: unknown) => {
    if (error instanceof ApiError && error.reasonCode === 'unauthenticated') {
      request.caller ??= error.extras.caller
      // It counts against its IP address, since its client is unknown.
      gatekeepers.limitUnauthenticated(request, reply)
    }
    throw error
  })
  request.caller = partner
  gatekeepers.limitRate(operation, request, reply, partner)
  if (operation.permission !== undefined) {
    await gatekeepers.requirePermission(partner, operation.permission)
  }
  return partner
}

/** So that verifying tokens of broken requests, which count against no other limit, takes no noticeable time. */
const IDENTIFIED_PER_SECOND_MAX = 20

/** Identifies the clients of requests that cannot be parsed: they are rejected before their token is verified. */
export function createCallerIdentifier({
  authenticate,
}: Pick<RequestGuards, 'authenticate'>): (request: FastifyRequest) => Promise<void> {
  let current = { second: 0, identified: 0 }
  return async (request) => {
    const second = Math.floor(wallMilliseconds() / 1000)
    const identified = second === current.second ? current.identified : 0
    if (request.caller === undefined && identified < IDENTIFIED_PER_SECOND_MAX) {
      current = { second, identified: identified + 1 }
      request.caller = await authenticate(request.headers.authorization).catch(() => undefined)
    }
  }
}

/** Headers of the bank standard that are forwarded; the first two are required. */
const PSU_HEADERS = [
  'psu-ip-address',
  'psu-user-agent',
  'psu-accept',
  'psu-accept-charset',
  'psu-accept-encoding',
  'psu-accept-language',
  'psu-device-id',
  'psu-geo-location',
  'psu-http-method',
  'psu-ip-port',
]

/** An IPv6 zone index (`fe80::1%eth0`), which a public address never has. */
const ZONE_MARK = '%'

/**
 * The session, or null when the user is not present. Throws when a required header is missing. Where none is required, the
 * address alone says that the user is present; the user agent is then empty, and is not sent to the bank.
 */
export function readPsuSession(
  sent: IncomingHttpHeaders,
  need: { readonly required: boolean; readonly privateAllowed: boolean },
): PsuSession | null {
  const present = PSU_HEADERS.map((name) => [name, String(sent[name] ?? '').trim()]).filter(([, text]) => text !== '')
  const { 'psu-ip-address': ipAddress, 'psu-user-agent': userAgent, ...headers } = Object.fromEntries(present)
  if (!need.required && ipAddress === undefined) {
    return null
  }
  if (ipAddress === undefined || isIP(ipAddress) === 0 || ipAddress.includes(ZONE_MARK)) {
    throw apiError('bad-request', 'The header PSU-IP-Address must contain the IP address of the user’s current session')
  }
  if (!need.privateAllowed && !isPublicAddress(ipAddress)) {
    throw apiError(
      'bad-request',
      'The header PSU-IP-Address contains an address that is not public; send the user’s public address',
    )
  }
  if (need.required && userAgent === undefined) {
    throw apiError('bad-request', 'The header PSU-User-Agent must contain the user agent of the user’s browser or app')
  }
  return { ipAddress, userAgent: userAgent ?? '', headers }
}
