/** Lets in only who shows a good certificate, signs the message, and has the role for what is asked. */
import type { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../refusal.ts'
import { certificateOfConnection, factsOf } from './read-certificate.ts'
import { requireGoodCertificate, type Trust, unauthorised } from './validate-certificate.ts'
import { certificateOf, requireSignature, type SignedMessage } from './validate-signature.ts'

/** What is asked of callers; `signsDate` tells whether the bank of a request has the date signed. */
export type IdentityDemands = Trust & {
  signsDate(request: FastifyRequest): boolean
}

/** The role that each service takes; all others give access to accounts. */
const ROLE_BY_SERVICE: ReadonlyMap<string, string> = new Map([
  ['payments', 'PSP_PI'],
  ['bulk-payments', 'PSP_PI'],
  ['periodic-payments', 'PSP_PI'],
  ['signing-baskets', 'PSP_PI'],
  ['funds-confirmations', 'PSP_IC'],
])
const PUBLIC = /^(\/[a-z0-9-]+)?\/\.well-known\//
const TOKEN_ENDPOINT = /^\/[a-z0-9-]+\/oauth\/token(\?|$)/
const ROLE_OF_OTHERS = 'PSP_AI'
/** A signed date that is further off than this may be of a message that somebody kept. */
const DATE_OFF_MAX_MILLISECONDS = 5 * 60 * 1000

/** Has every request judged before anything else is made of it. */
export function requireIdentity(server: FastifyInstance, demands: IdentityDemands): void {
  server.addHook('preParsing', async (request, _reply, payload) => {
    const asked = askedOf(request)
    if (asked === 'nothing') {
      return payload
    }
    const qwac = connectionCertificate(request)
    requireGoodCertificate(qwac, 'certificate of the connection', demands)
    if (asked === 'connection') {
      return payload
    }
    const body = await wholeBody(payload, request.routeOptions.bodyLimit)
    requireSignedMessage(request, { headers: request.headers, body }, qwac, demands)
    requireRole(request, qwac)
    return Readable.from(body.length === 0 ? [] : [body])
  })
}

/** Who a caller of the authorisation server is by its certificate: the organisation's identifier. */
export function clientOf(request: FastifyRequest): string | undefined {
  return factsOf(connectionCertificate(request)).organisation
}

/** What a request must show: the description of an authorisation server is public, and its calls are not signed messages. */
function askedOf({ url }: FastifyRequest): 'nothing' | 'connection' | 'message' {
  if (PUBLIC.test(url)) {
    return 'nothing'
  }
  return TOKEN_ENDPOINT.test(url) ? 'connection' : 'message'
}

function connectionCertificate(request: FastifyRequest): X509Certificate {
  const certificate = certificateOfConnection(request.raw.socket)
  if (certificate === undefined) {
    throw unauthorised('CERTIFICATE_MISSING', 'The bank wants connections with a client certificate')
  }
  return certificate
}

function requireSignedMessage(
  request: FastifyRequest,
  message: SignedMessage,
  qwac: X509Certificate,
  demands: IdentityDemands,
): void {
  const qseal = certificateOf(message)
  requireGoodCertificate(qseal, 'certificate of the message', demands)
  const dateFirst = demands.signsDate(request)
  requireSignature(message, qseal, { dateFirst })
  if (dateFirst) {
    requireRecent(request.headers.date ?? '', demands)
  }
  if (factsOf(qseal).organisation !== factsOf(qwac).organisation) {
    throw unauthorised('CERTIFICATE_INVALID', 'The certificates of connection and message are of two organisations')
  }
}

function requireRecent(date: string, { now }: Trust): void {
  const off = Math.abs(Date.parse(date) - now().epochMilliseconds)
  if (!(off <= DATE_OFF_MAX_MILLISECONDS)) {
    throw refuse(400, 'TIMESTAMP_INVALID', 'Date is not that of now')
  }
}

function requireRole(request: FastifyRequest, qwac: X509Certificate): void {
  const [, , , service = ''] = request.url.split(/[/?]/)
  const role = ROLE_BY_SERVICE.get(service) ?? ROLE_OF_OTHERS
  if (!factsOf(qwac).psd2Roles.includes(role)) {
    throw unauthorised('ROLE_INVALID', `This takes the role ${role}, which the certificate does not give`)
  }
}

async function wholeBody(payload: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of payload) {
    bytes += part.length
    if (bytes > bytesMax) {
      throw refuse(400, 'FORMAT_ERROR', 'The body is too large')
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}
