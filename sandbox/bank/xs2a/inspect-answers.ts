/** Passes every response to an inspector before it is sent; used in tests only. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

/** A response before it is sent. */
export type InspectedAnswer = {
  readonly method: string
  /** The path from `/v1` on, without the query. */
  readonly path: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export type Inspector = {
  validate(answer: InspectedAnswer): readonly string[]
  report(violation: string): void
}

/** Inspects every response; an invalid one becomes a 500, so that the caller notices too. */
export function inspectAnswers(server: FastifyInstance, inspector: Inspector): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const { body, sent } = await readAnswer(payload)
    const path = request.url.split('?')[0]?.replace(/^\/[^/]+/, '') ?? ''
    const { method } = request
    if (!path.startsWith('/v1')) {
      // Paths outside the standard are not validated.
      return sent
    }
    const validationErrors = inspector.validate({
      method,
      path,
      status: reply.statusCode,
      headers: reply.getHeaders(),
      body,
    })
    if (validationErrors.length === 0) {
      return sent
    }
    const violation = `${method} ${path} ${reply.statusCode}: ${validationErrors.join('; ')}`
    inspector.report(violation)
    reply.code(500)
    return JSON.stringify({ violation })
  })
}

/** A streamed body is read completely, and then sent at once. */
async function readAnswer(payload: unknown): Promise<{ readonly body: string; readonly sent: unknown }> {
  const body = payload instanceof Readable ? await text(payload) : typeof payload === 'string' ? payload : ''
  return { body, sent: payload instanceof Readable ? body : payload }
}
