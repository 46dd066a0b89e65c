/** Sends one request with a time limit, and explains a failure: DNS, ports, firewalls and TLS need different actions. */
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { getCACertificates, TLSSocket } from 'node:tls'
import { type Check, checksOf, type Finding } from '../check.ts'

/** What firewalls, DNS and TLS do differently. */
export type FailureKind = 'name-unknown' | 'port-closed' | 'timeout' | 'untrusted' | 'rejects-certificate' | 'failed'
export type RequestFailure = { readonly failure: FailureKind; readonly reason: string }

export type UrlResponse = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** When the certificate of the server expires; undefined for http. */
  readonly certificateExpiresAt: Temporal.Instant | undefined
}

/** How to connect. */
export type RequestOptions = {
  readonly headers?: Readonly<Record<string, string>>
  /** CA certificates (PEM) in addition to those of the system. */
  readonly authorities?: string | null
  readonly identity?: { readonly certificatePem: string; readonly keyPem: string } | null
}

/** Shorter than the limit of a group: a host that drops packets must not hide the other findings. */
export const REQUEST_SECONDS = 6
const BODY_CHARACTERS_MAX = 100_000
const NAME_UNKNOWN = /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/
const NO_ROUTE = /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ABORT_ERR)$/
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME|INVALID_CA|PATH_LENGTH/
const ALERT = /\balert\b|_ALERT_/i

/** GETs a URL over a connection of its own, without following redirects. */
export async function requestUrl(url: URL, options: RequestOptions = {}): Promise<UrlResponse | RequestFailure> {
  const { headers = {}, authorities = null, identity = null } = options
  const shared = { headers, signal: AbortSignal.timeout(REQUEST_SECONDS * 1_000) }
  const tls = {
    ...(authorities === null ? {} : { ca: [...getCACertificates('default'), authorities] }),
    ...(identity === null ? {} : { cert: identity.certificatePem, key: identity.keyPem }),
  }
  try {
    return await new Promise<UrlResponse>((resolve, reject) => {
      const answered = (response: IncomingMessage) => void readResponse(response).then(resolve, reject)
      const request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...shared, ...tls, agent: false }, answered)
          : requestHttp(url, { ...shared, agent: new Agent() }, answered)
      request.once('error', reject).end()
    })
  } catch (error) {
    return failureOf(error)
  }
}

async function readResponse(response: IncomingMessage): Promise<UrlResponse> {
  const { socket } = response
  const until = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.validToDate : undefined
  let body = ''
  for await (const part of response.setEncoding('utf8')) {
    body += String(part)
    if (body.length > BODY_CHARACTERS_MAX) {
      break
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body,
    certificateExpiresAt: until === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(until.getTime()),
  }
}

function failureOf(error: unknown): RequestFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = code === '' ? String(error) : code
  if (NAME_UNKNOWN.test(code)) {
    return { failure: 'name-unknown', reason }
  }
  if (code === 'ECONNREFUSED') {
    return { failure: 'port-closed', reason }
  }
  if (NO_ROUTE.test(code) || (error instanceof Error && error.name === 'TimeoutError')) {
    return { failure: 'timeout', reason: `no response within ${REQUEST_SECONDS} seconds` }
  }
  if (ALERT.test(code) || (error instanceof Error && ALERT.test(error.message))) {
    return { failure: 'rejects-certificate', reason }
  }
  return { failure: UNTRUSTED.test(code) ? 'untrusted' : 'failed', reason }
}

/** What cannot be reached, for the texts. */
type Target = {
  /** Prefix of the ids of its checks. */
  readonly prefix: string
  readonly name: string
  readonly where: string
  readonly url: URL
  /** How its server's certificate becomes trusted. */
  readonly trust: string
}

/** The checks of a kind of target. */
export function failureChecks(prefix: string, what: string, see: string): Readonly<Record<string, Check>> {
  const check = (finds: string) => checksOf(see).error(`${what} ${finds}`)
  return {
    [`${prefix}-name-unknown`]: check('has no address (DNS)'),
    [`${prefix}-port-closed`]: check('refuses the connection (closed port or egress)'),
    [`${prefix}-timeout`]: check('does not respond in time (closed egress)'),
    [`${prefix}-untrusted`]: check('has a TLS certificate that is expired, of another host, or of an unknown issuer'),
    [`${prefix}-rejects-certificate`]: check('rejects our TLS certificate, or has none'),
    [`${prefix}-failed`]: check('does not speak HTTP or TLS, or closes the connection'),
  }
}

export function failureFinding({ prefix, name, where, url, trust }: Target, failed: RequestFailure): Finding {
  const { hostname, host } = url
  const texts: Readonly<Record<FailureKind, readonly [problem: string, action: string]>> = {
    'name-unknown': [
      `The host ${hostname} has no address`,
      `Correct the URL, or the DNS of this host: getent hosts ${hostname}`,
    ],
    'port-closed': [
      `${host} refuses the connection`,
      `Correct host and port, or open the firewall: nc -vz ${hostname} ${portOf(url)}`,
    ],
    timeout: [
      `${host} does not respond`,
      `Allow outgoing connections to ${hostname} port ${portOf(url)}: nc -vz ${hostname} ${portOf(url)}`,
    ],
    untrusted: [`The TLS certificate of ${host} is not trusted`, trust],
    'rejects-certificate': [
      `${host} ends the TLS handshake`,
      'Check the QWAC: havn certificates show, and whether the other side knows its issuer.',
    ],
    failed: [`${host} does not answer as HTTP`, 'Correct scheme, host and port of the URL.'],
  }
  const [problem, action] = texts[failed.failure]
  return { check: `${prefix}-${failed.failure}`, problem: `${name}: ${problem} (${failed.reason})`, where, action }
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? ({ 'http:': '80' }[protocol] ?? '443') : port
}
