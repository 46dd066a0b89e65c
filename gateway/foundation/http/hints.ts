/** Serves addresses at which somebody may hint that something changed: whatever comes, the answer is 204. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openRateLimit } from '../../platform/http/rate-limit.ts'
import type { Log } from '../../platform/observability/log.ts'
import { parseJson } from '../../platform/parse-json.ts'

/** A hint names a resource and a status; nobody has more to say. */
const HINT_BYTES_MAX = 16 * 1024

/** A bank that settles a thousand payments at once is heard of most; what is not heard is read by the schedule. */
const HINTS_PER_SECOND = 100

/** Takes a hint; what it throws is logged. The body is what JSON it held, undefined when it held none. */
export type TakeHint<Address> = (address: Address, body: unknown) => Promise<void>

/** Registers an address. Neither its answer nor a refusal tells whether the hint was known, or could be read. */
export function serveHint<Address>(server: FastifyInstance, path: string, log: Log, take: TakeHint<Address>): void {
  server.register(async (hints) => {
    hints.removeAllContentTypeParsers()
    hints.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) =>
      done(null, jsonIn(text.toString())),
    )
    const limitRate = openRateLimit(server, { name: 'hints', max: HINTS_PER_SECOND, windowSeconds: 1 })
    hints.addHook('onRequest', async (request, reply) => {
      const isHeard = await limitRate(request, reply, request.ip).then(
        () => true,
        () => false,
      )
      return isHeard ? undefined : reply.code(204).send()
    })
    hints.setErrorHandler((error, request, reply) => {
      log.warn({ requestId: request.id, route: path, error }, 'a hint could not be taken')
      return reply.code(204).send()
    })
    hints.post(path, { bodyLimit: HINT_BYTES_MAX }, async (request: FastifyRequest, reply) => {
      await take(request.params as Address, request.body)
      return reply.code(204).send()
    })
  })
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
