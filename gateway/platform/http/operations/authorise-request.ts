/** Admits a request as its operation asks: token, rate, permission, headers and consent, in this order. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { readIdempotencyKey } from '../../../foundation/http/idempotency.ts'
import { Refusal } from '../errors/api-error.ts'
import type { IdempotencyKey } from '../idempotency/idempotency-store.ts'
import { fingerprintOf } from '../idempotency/request-fingerprint.ts'
import { type PsuSession, readPsuSession } from './psu-session.ts'
import type { Gatekeepers, PartnerIdentity, ServeSettings } from './served-operation.ts'

/** Whom an operation has admitted; null where it asks nobody. */
export type Admitted<Partner, Consent> = {
  readonly partner: Partner | null
  readonly consent: Consent | null
  readonly psu: PsuSession | null
  /** The `Idempotency-Key` header where the operation takes one. */
  readonly idempotencyKey: string | undefined
}

/** Throws the refusal of the first thing that is missing. */
export async function admit<Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admitted<Partner, Consent>> {
  const { gatekeepers } = settings
  if (operation.admits === 'anyone') {
    await gatekeepers.limitRate(operation, request, reply, null)
    return { partner: null, consent: null, psu: null, idempotencyKey: undefined }
  }
  const partner = await admitCaller(gatekeepers, operation, request, reply)
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

/** What is known of a caller before the body is: token, rate and permission. Throws the refusal of the first that is missing. */
export async function admitCaller<Partner extends PartnerIdentity, Consent>(
  gatekeepers: Gatekeepers<Partner, Consent>,
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

/** A request without a valid token counts against its address, since no client is known. */
async function authenticate<Partner extends PartnerIdentity, Consent>(
  gatekeepers: Gatekeepers<Partner, Consent>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Partner> {
  try {
    return await gatekeepers.authenticate(request.headers.authorization)
  } catch (error) {
    if (error instanceof Refusal && error.reasonCode === 'unauthenticated') {
      await gatekeepers.limitUnauthenticated(request, reply)
    }
    throw error
  }
}

/** The request under its `Idempotency-Key`, or undefined when it has none. */
export async function idempotencyKeyOf<Partner extends PartnerIdentity, Consent>(
  operation: Operation,
  { partner, idempotencyKey: key }: Admitted<Partner, Consent>,
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

/** As the contract writes it, with what stands for its parameters: an address has more than one spelling. */
function pathOf({ path }: Operation, { params }: FastifyRequest): string {
  const given = new Map<string, unknown>(Object.entries(Object(params)))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given.get(name))))
}

function consentIdOf(request: FastifyRequest): string {
  const header = request.headers['consent-id']
  return typeof header === 'string' ? header : ''
}
