/** Lets an inspector look at every answer before it leaves; used by tests, never when the bank serves. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

/** One answer as it is about to leave. */
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
  /** What is wrong with an answer; nothing when it is as it should be. */
  judge(answer: InspectedAnswer): readonly string[]
  /** Told of each answer that is not. */
  report(violation: string): void
}

/** Looks at every answer; one that is wrong becomes a 500, so that whoever asked notices too. */
export function inspectAnswers(server: FastifyInstance, inspector: Inspector): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const { body, sent } = await readAnswer(payload)
    const path = request.url.replace(/^\/[^/]+/, '').replace(/\?.*$/, '')
    const { method } = request
    if (!path.startsWith('/v1')) {
      // Addresses beside the standard's, of which it has no opinion.
      return sent
    }
    const problems = inspector.judge({ method, path, status: reply.statusCode, headers: reply.getHeaders(), body })
    if (problems.length === 0) {
      return sent
    }
    const violation = `${method} ${path} ${reply.statusCode}: ${problems.join('; ')}`
    inspector.report(violation)
    reply.code(500)
    return JSON.stringify({ violation })
  })
}

/** An answer that is written while it is sent is read first, and then sent at once. */
async function readAnswer(payload: unknown): Promise<{ readonly body: string; readonly sent: unknown }> {
  const body = payload instanceof Readable ? await text(payload) : typeof payload === 'string' ? payload : ''
  return { body, sent: payload instanceof Readable ? body : payload }
}
