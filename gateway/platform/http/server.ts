/** Opens the HTTP server: request ids, body parsing, the envelope of framework errors, and the access log. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { PATH_PARAMETER_CHARACTERS_MAX } from '../../../contract/shapes.ts'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { newId } from '../ids.ts'
import { withoutRedaction } from '../observability/log.ts'
import { type AccessLogSettings, onAnswered, recordAnswer } from './access-log.ts'
import {
  BODY_BUDGETS,
  type BodyBudgets,
  type ConnectionSettings,
  countReceivedBody,
  limitBodies,
  limitConnections,
} from './client-limits.ts'
import { apiError } from './errors/api-error.ts'
import { completeErrorAnswer } from './errors/complete-error-answer.ts'
import { asApiError, logServerError } from './errors/framework-error.ts'
import { malformedHttpAnswerer, protectionHeaders } from './errors/malformed-http.ts'
import { type RenderedAnswer, renderErrorResponse } from './errors/render-error.ts'
import { withoutPorts } from './ip-address.ts'
import { registerJsonParser } from './json-body.ts'
import { parseForm } from './pages/form.ts'

/** The body limit of all operations but those of payrolls. */
export const BODY_BYTES_MAX = 256 * 1024
/** A client that takes longer than this to send a request is not a partner's server. */
const REQUEST_TIMEOUT_MILLISECONDS = 30_000
/** How long a connection may be silent before its first request, or take to send the headers of one. */
const HEADERS_TIMEOUT_MILLISECONDS = 10_000
const TIMEOUT_CHECK_MILLISECONDS = 1_000

export type ServerSettings = AccessLogSettings & {
  /** The public base URL, below which errors are documented. */
  readonly baseUrl: string
  /** The number of our own proxies in front; `X-Forwarded-*` entries beyond them are not trusted. */
  readonly trustProxy: number
  readonly connections?: ConnectionSettings & { readonly headersTimeoutMilliseconds?: number }
  readonly bodies?: BodyBudgets
}

const UNLIMITED = { max: Number.POSITIVE_INFINITY, maxPerAddress: Number.POSITIVE_INFINITY }

/** Creates a server without routes. */
export function openServer(settings: ServerSettings): FastifyInstance {
  const recording = { ...settings, log: withoutRedaction(settings.log) }
  const answerMalformedHttp = malformedHttpAnswerer(recording)
  // An error in what follows a request must not pass for the response to the request, which is carried out.
  const answerBrokenConnection = (error: Error | undefined, socket: Duplex) =>
    connections.afterResponses(socket, () => answerMalformedHttp(error, socket))
  const protection = protectionHeaders(settings.baseUrl)
  const server = fastify({
    logger: false,
    genReqId: newId,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    trustProxy: settings.trustProxy === 0 ? false : (_address, hop) => hop < settings.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    clientErrorHandler: answerBrokenConnection,
    // Node would answer a request without Host by itself, without an envelope.
    http: {
      requireHostHeader: false,
      headersTimeout: settings.connections?.headersTimeoutMilliseconds ?? HEADERS_TIMEOUT_MILLISECONDS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MILLISECONDS,
    },
    frameworkErrors: (error, request, reply) => {
      reply.header('svc-request-id', request.id).headers(protection)
      sendFailure(error, request, reply, settings)
      recordAnswer(request, reply, recording)
    },
  })
  server.decorateRequest('caller', undefined)
  onAnswered(server, (request, reply, departure) => recordAnswer(request, reply, recording, departure))
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('svc-request-id', request.id).headers(protection)
    const { 'x-forwarded-for': forwardedFor } = request.headers
    if (typeof forwardedFor === 'string') {
      // Fastify reads the address of the client from this header.
      request.headers['x-forwarded-for'] = withoutPorts(forwardedFor)
    }
    validateHostAndEncoding(request)
    done()
  })
  const connections = limitConnections(server.server, settings.connections ?? UNLIMITED)
  server.addHook('preClose', async () => connections.stop())
  // Node would close the connection of clients that use CONNECT.
  server.server.on('connect', (_request, socket) => answerBrokenConnection(undefined, socket))
  // Node would reject an expectation that it does not know by itself, without an envelope; it may be ignored (RFC
  // 9110).
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  server.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply, settings))
  limitBodies(server, BODY_BYTES_MAX, settings.bodies ?? BODY_BUDGETS)
  registerBodyParsers(server)
  answerUnknownRoutes(server, settings)
  return server
}

/**
 * Throws for a request that a proxy in front could parse differently (request smuggling), and for compressed bodies, of
 * which those of GET are not read.
 */
function validateHostAndEncoding({ headers, raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw apiError('bad-request', 'An HTTP/1.1 request must have the header Host')
  }
  // Node uses the first one; RFC 9112, section 3.2, requires 400.
  const hosts = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) {
    throw apiError('bad-request', 'A request must have exactly one header Host')
  }
  const encodings = (headers['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim().toLowerCase())
  const isRead = raw.method !== 'GET' && raw.method !== 'HEAD'
  if (isRead && encodings.some((encoding) => encoding !== '' && encoding !== 'identity')) {
    throw apiError(
      'unsupported-media-type',
      'Send the body without Content-Encoding; compressed bodies are not supported',
    )
  }
}

/**
 * Listens at one address and returns its URL. For `localhost`, Fastify would open one listener per address of the name,
 * without the limits and handlers of this one.
 */
export async function listenAt(server: FastifyInstance, at: ListenAddress): Promise<string> {
  return await server.listen({ ...at, host: at.host.toLowerCase() === 'localhost' ? '127.0.0.1' : at.host })
}

/** Port 0 is any free port. */
type ListenAddress = { readonly host: string; readonly port: number }

export function sendRendered(reply: FastifyReply, { status, headers, body }: RenderedAnswer): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...headers })
    .send(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
}

type ErrorSettings = Pick<ServerSettings, 'log' | 'baseUrl'>

function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, baseUrl }: ErrorSettings,
): void {
  const answer = renderErrorResponse(asApiError(error), { svcRequestId: request.id, baseUrl })
  if (answer.status === 500 || error instanceof DatabaseUnavailable) {
    const failed = { requestId: request.id, route: request.routeOptions.url ?? 'unknown', error }
    logServerError(log, failed, 'a request failed with an internal error')
  }
  sendRendered(reply, completeErrorAnswer(answer, { baseUrl, prefer: request.headers['prefer'] }))
}

/** Forms arrive as text. */
function registerBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  registerJsonParser(server)
  const read = async (request: FastifyRequest, body: string | Buffer) => {
    countReceivedBody(request, body.length)
    return parseForm(body.toString())
  }
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, read)
  server.addContentTypeParser('*', requireEmptyBody)
}

/** HTTP libraries name a media type, or send chunks, also where there is no body. Throws at the first byte of one. */
async function requireEmptyBody({ headers }: FastifyRequest, payload: IncomingMessage): Promise<void> {
  const isEmpty = () =>
    Promise.race([once(payload, 'data').then(() => false), once(payload, 'end').then(() => true)]).catch(() => {
      throw apiError('bad-request', 'The request did not arrive completely')
    })
  if (Number(headers['content-length'] ?? 0) > 0 || !(await isEmpty())) {
    payload.pause()
    throw apiError('unsupported-media-type', 'Send the body as application/json')
  }
}

/** A path that exists under another method is a 405 with `Allow`; any other unknown path is a 404. */
function answerUnknownRoutes(server: FastifyInstance, settings: ErrorSettings): void {
  const methodsByUrl = new Map<string, readonly string[]>()
  server.addHook('onRoute', ({ method, url }) => {
    methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), method].flat())
  })
  // Compiled for the first unknown path: most processes that start never see one.
  const patterns = new Map<string, RegExp>()
  const isPathOf = (path: string, url: string) => patterns.getOrInsertComputed(url, pathPattern).test(path)
  const errorFor = (request: FastifyRequest) => {
    const [path = ''] = request.url.split('?')
    const urls = methodsByUrl.has(path) ? [path] : methodsByUrl.keys().filter((url) => isPathOf(path, url))
    const methods = [...urls].flatMap((url) => methodsByUrl.get(url) ?? [])
    const allow = [...new Set(methods)].sort().join(', ')
    return methods.length > 0
      ? apiError('method-not-allowed', `This path does not support ${request.method}; it supports ${allow}`, { allow })
      : apiError('not-found', 'This path does not exist; /openapi.json lists all operations')
  }
  // A path such as /payments/approve, of which GET would find the route of a payment whose id is "approve".
  server.addHook('onRequest', (request, _reply, done) => {
    const [path = ''] = request.url.split('?')
    if (!request.is404 && request.routeOptions.url !== path && methodsByUrl.has(path)) {
      throw errorFor(request)
    }
    done()
  })
  // Before the body is parsed: errors in it do not matter here, and Fastify requires a media type for each QUERY.
  server.addHook('preParsing', (request, _reply, _payload, done) => done(request.is404 ? errorFor(request) : null))
  server.setNotFoundHandler((request, reply) => sendFailure(errorFor(request), request, reply, settings))
}

/** The paths of a route; what follows a final slash and asterisk is any. */
function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]+').replace(/\/\\\*$/, '/.*')}$`)
}
