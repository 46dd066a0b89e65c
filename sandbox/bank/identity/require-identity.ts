/** Requires a valid certificate, a signed message, and the PSD2 role of the requested service. */
import type { X509Certificate } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBody } from '../xs2a/read-body.ts'
import { xs2aError } from '../xs2a-error.ts'
import {
  certificateOfConnection,
  readCertificateFacts,
  requireTrustedCertificate,
  type TrustAnchors,
  unauthorised,
} from './read-certificate.ts'
import { certificateOf, requireSignature, type SignedMessage } from './validate-signature.ts'

/** The requirements on callers; `signsDate` states whether the bank of a request requires a signed date. */
export type IdentityRequirements = TrustAnchors & {
  signsDate(request: FastifyRequest): boolean
}

/** The role that each service requires; all others are account information. */
const ROLE_BY_SERVICE: ReadonlyMap<string, string> = new Map([
  ['payments', 'PSP_PI'],
  ['bulk-payments', 'PSP_PI'],
  ['periodic-payments', 'PSP_PI'],
  ['signing-baskets', 'PSP_PI'],
  ['funds-confirmations', 'PSP_IC'],
])
const PUBLIC = /^(\/[a-z0-9-]+)?\/\.well-known\//
const TOKEN_ENDPOINTS = /^\/[a-z0-9-]+\/oauth\/(token|revoke)(\?|$)/
const DEFAULT_ROLE = 'PSP_AI'
/** A signed date that is further off may belong to a replayed message. */
const DATE_OFF_MAX_MILLISECONDS = 5 * 60 * 1000

/** Validates every request before any other processing. */
export function requireIdentity(server: FastifyInstance, demands: IdentityRequirements): void {
  server.addHook('preParsing', async (request, _reply, payload) => {
    const requested = requiredIdentification(request)
    if (requested === 'nothing') {
      return payload
    }
    const qwac = connectionCertificate(request)
    requireTrustedCertificate(qwac, 'certificate of the connection', demands)
    if (requested === 'connection') {
      return payload
    }
    requireSignedMessage(request, { headers: request.headers, body: await readBody(request) }, qwac, demands)
    requireRole(request, qwac)
    return payload
  })
}

/** The client of the authorisation server: the organisation identifier of its certificate. */
export function clientOf(request: FastifyRequest): string | undefined {
  return readCertificateFacts(connectionCertificate(request)).organisation
}

/** The metadata of an authorisation server is public, and calls to it are not signed messages. */
function requiredIdentification({ url }: FastifyRequest): 'nothing' | 'connection' | 'message' {
  if (PUBLIC.test(url)) {
    return 'nothing'
  }
  return TOKEN_ENDPOINTS.test(url) ? 'connection' : 'message'
}

function connectionCertificate(request: FastifyRequest): X509Certificate {
  const certificate = certificateOfConnection(request.raw.socket)
  if (certificate === undefined) {
    throw unauthorised('CERTIFICATE_MISSING', 'The bank requires a client certificate')
  }
  return certificate
}

function requireSignedMessage(
  request: FastifyRequest,
  message: SignedMessage,
  qwac: X509Certificate,
  demands: IdentityRequirements,
): void {
  const qseal = certificateOf(message)
  requireTrustedCertificate(qseal, 'certificate of the message', demands)
  const dateFirst = demands.signsDate(request)
  requireSignature(message, qseal, { dateFirst })
  if (dateFirst) {
    requireRecent(request.headers.date ?? '', demands)
  }
  if (readCertificateFacts(qseal).organisation !== readCertificateFacts(qwac).organisation) {
    throw unauthorised(
      'CERTIFICATE_INVALID',
      'The certificates of connection and message are of different organisations',
    )
  }
}

function requireRecent(date: string, { now }: TrustAnchors): void {
  const off = Math.abs(Date.parse(date) - now().epochMilliseconds)
  if (!(off <= DATE_OFF_MAX_MILLISECONDS)) {
    throw xs2aError(400, 'TIMESTAMP_INVALID', 'Date is not the current time')
  }
}

function requireRole(request: FastifyRequest, qwac: X509Certificate): void {
  const [, , , service = ''] = request.url.split(/[/?]/)
  const role = ROLE_BY_SERVICE.get(service) ?? DEFAULT_ROLE
  if (!readCertificateFacts(qwac).psd2Roles.includes(role)) {
    throw unauthorised('ROLE_INVALID', `This requires the role ${role}, which the certificate does not have`)
  }
}
