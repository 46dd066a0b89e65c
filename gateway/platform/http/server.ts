/** Opens the HTTP server: request ids, body parsing, the envelope for whatever is asked wrongly, and the access log. */
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { PATH_PARAMETER_CHARACTERS_MAX } from '../../../contract/shapes.ts'
import { newId } from '../ids.ts'
import type { Log } from '../observability/log.ts'
import { type ConnectionSettings, limitConnections } from './connection-limits.ts'
import { refuse } from './errors/api-error.ts'
import { asRefusal } from './errors/framework-error.ts'
import { answerBrokenHttp } from './errors/malformed-http.ts'
import { type RenderedAnswer, renderFailure } from './errors/render-error.ts'
import { takeJson } from './json-body.ts'
import { parseForm } from './pages/form.ts'
import { requireSoundHeaders } from './validate-request-headers.ts'

/** Bodies of all operations but the payrolls' are limited to this. */
export const BODY_BYTES_MAX = 256 * 1024
/** Whoever takes longer than this to send a request is not a partner's server. */
const REQUEST_TIMEOUT_MILLISECONDS = 30_000
/** So long a connection may be silent before its first request, or take to send the headers of one. */
const HEADERS_TIMEOUT_MILLISECONDS = 10_000
const TIMEOUT_CHECK_MILLISECONDS = 1_000

/** What a server needs to know of its surroundings. */
export type ServerSettings = {
  readonly log: Log
  /** Behind so many proxies of our own; what `X-Forwarded-*` headers say beyond them is not believed. */
  readonly trustProxy: number
  /** Called when a request has been answered, for metrics. */
  readonly observe?: (answered: AnsweredRequest) => void
  readonly connections?: ConnectionSettings & { readonly headersTimeoutMilliseconds?: number }
}

const UNLIMITED = { max: Number.POSITIVE_INFINITY, maxPerAddress: Number.POSITIVE_INFINITY }

/** What the access log and the metrics say of a request; the route, never the address with its tokens. */
export type AnsweredRequest = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
}

/** Makes a server without routes. */
export function openServer(settings: ServerSettings): FastifyInstance {
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
    clientErrorHandler: answerBrokenHttp,
    // Node would answer a request without Host by itself, without an envelope.
    http: {
      requireHostHeader: false,
      headersTimeout: settings.connections?.headersTimeoutMilliseconds ?? HEADERS_TIMEOUT_MILLISECONDS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MILLISECONDS,
    },
    frameworkErrors: (error, request, reply) => {
      reply.header('svc-request-id', request.id)
      sendFailure(error, request, reply, settings.log)
    },
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.header('svc-request-id', request.id)
    requireSoundHeaders(request)
  })
  const connections = limitConnections(server.server, settings.connections ?? UNLIMITED)
  server.addHook('preClose', async () => connections.stop())
  // Node would hang up on whoever takes this for a proxy.
  server.server.on('connect', (_request, socket) => answerBrokenHttp(undefined, socket))
  // Node would refuse an expectation that it does not know by itself, without an envelope; it may be ignored (RFC 9110).
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  server.addHook('onResponse', async (request, reply) => record(request, reply, settings))
  server.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply, settings.log))
  takeBodies(server)
  answerUnknownRoutes(server, settings.log)
  return server
}

/**
 * Listens at one address, and answers its URL. Of `localhost` Fastify would open a listener more for each address that
 * the name has, with none of the limits and handlers of this one.
 */
export async function listenAt(server: FastifyInstance, at: ListenAddress): Promise<string> {
  return await server.listen({ ...at, host: at.host.toLowerCase() === 'localhost' ? '127.0.0.1' : at.host })
}

/** Port 0 is any that is free. */
type ListenAddress = { readonly host: string; readonly port: number }

/** Sends what was rendered, byte for byte. */
export function sendRendered(reply: FastifyReply, answer: RenderedAnswer): FastifyReply {
  return reply
    .code(answer.status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...answer.headers })
    .send(answer.body)
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const answer = renderFailure(asRefusal(error), request.id)
  if (answer.status === 500) {
    log.error({ requestId: request.id, route: routeOf(request), error }, 'A request failed for a fault of ours')
  }
  sendRendered(reply, answer)
}

/** Forms arrive as text. */
function takeBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  takeJson(server)
  const read = async (_request: FastifyRequest, body: string | Buffer) => parseForm(body.toString())
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, read)
}

/** A path that exists under another method is a 405 with `Allow`; anything else unknown is a 404. */
function answerUnknownRoutes(server: FastifyInstance, log: Log): void {
  const methodsByPath: { readonly pattern: RegExp; readonly methods: Set<string> }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}$`)
    methodsByPath.push({ pattern, methods: new Set([method].flat()) })
  })
  const errorFor = (request: FastifyRequest) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = methodsByPath.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
    const allow = [...new Set(methods)].sort().join(', ')
    return methods.length > 0
      ? refuse('method-not-allowed', `This address does not take ${request.method}; it takes ${allow}`, { allow })
      : refuse('not-found', 'There is nothing at this address; /openapi.json lists what there is')
  }
  // Before the body: what is wrong with that does not matter here, and Fastify demands a media type of each QUERY.
  server.addHook('preParsing', async (request) => {
    if (request.is404) {
      throw errorFor(request)
    }
  })
  server.setNotFoundHandler((request, reply) => sendFailure(errorFor(request), request, reply, log))
}

function record(request: FastifyRequest, reply: FastifyReply, { log, observe }: ServerSettings): void {
  const answered = {
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
  }
  observe?.(answered)
  log.info({ requestId: request.id, ...answered }, 'answered')
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown'
}
