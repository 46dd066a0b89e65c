/** Traces the requests of a server by route, never by URL, which may contain tokens. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OpenSpan, Trace } from '../observability/trace.ts'
import { onAnswered } from './access-log.ts'

const FAULT_OF_OURS = 500

/** Starts a span for each request; what its handler does, bank calls above all, is a child of it. */
export function traceRequests(server: FastifyInstance, trace: Trace): void {
  const spanByRequest = new WeakMap<FastifyRequest, OpenSpan>()
  server.addHook('onRequest', async (request) => {
    const { traceparent } = request.headers
    const caller = typeof traceparent === 'string' ? traceparent : undefined
    const route = request.routeOptions.url ?? 'unknown'
    const span = trace.beginRequest(`${request.method} ${route}`, caller, {
      'http.request.method': request.method,
      'http.route': route,
      'havn.request_id': request.id,
    })
    spanByRequest.set(request, span)
  })
  // Reading the body leaves the request's asynchronous context, so the context is entered only now.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spanByRequest.get(request)
    if (span === undefined) {
      done()
    } else {
      span.within(done)
    }
  })
  onAnswered(server, (request, { statusCode }) => {
    spanByRequest.get(request)?.end({ 'http.response.status_code': statusCode }, statusCode >= FAULT_OF_OURS)
  })
}
