/** Records each request once its response was sent, or could not be, because its client had left. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../observability/log.ts'
import { loggedNetwork } from './ip-address.ts'

/** What the access log and the metrics record of a request; the route, never the URL with its tokens. */
export type AnsweredRequest = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** The client left while it was sent, so that the time says nothing of us: as it leaves the stream of a page. */
  readonly isCut: boolean
}

export type AccessLogSettings = {
  readonly log: Log
  /** Called after each response, for metrics. */
  readonly observe?: (answered: AnsweredRequest) => void
}

/** Whether the client has closed its connection: before the response, or while it was sent. */
type Departure = 'before' | 'within' | undefined
type Answered = (request: FastifyRequest, reply: FastifyReply, departure: Departure) => void

/** Calls back once for each request; Fastify's own hook leaves out those whose clients have left. */
export function onAnswered(server: FastifyInstance, answered: Answered): void {
  const known = new WeakSet<FastifyRequest>()
  const answer: Answered = (request, reply, departure) => {
    if (!known.has(request)) {
      known.add(request)
      answered(request, reply, departure)
    }
  }
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      // A response that does not exist yet is recorded by the next hook.
      if (reply.raw.headersSent && !reply.raw.writableFinished) {
        answer(request, reply, 'within')
      }
    })
    done()
  })
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.raw.destroyed || request.raw.socket.destroyed) {
      answer(request, reply, 'before')
    }
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    answer(request, reply, reply.raw.writableFinished ? undefined : 'within')
    done()
  })
}

/** Writes a line into the log, and reports to the metrics. */
export function recordAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { log, observe }: AccessLogSettings,
  departure?: Departure,
): void {
  const answered = {
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
  }
  observe?.({ ...answered, isCut: departure === 'within' })
  const isRejected = reply.statusCode >= 400 && reply.statusCode < 500
  const further = {
    ...(isRejected ? senderOf(request) : {}),
    ...(departure === undefined ? {} : { disconnected: true }),
  }
  log.info({ requestId: request.id, ...answered, ...further }, 'answered')
}

/** Who guesses, probes or is locked out is found by these; of browsers, whose users are persons, by the network alone. */
function senderOf(request: FastifyRequest): { readonly client?: string; readonly address: string } {
  const client = request.caller?.clientId
  return client === undefined ? { address: loggedNetwork(request.ip) } : { client, address: request.ip }
}
