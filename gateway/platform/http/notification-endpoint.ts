/** Serves endpoints for inbound notifications that something changed: the response to any request that was processed is 204. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import type { Log } from '../observability/log.ts'
import { parseOptionalJson } from '../parse-json.ts'
import { clientNetwork } from './ip-address.ts'
import { openRateLimit } from './rate-limit.ts'

/** A notification names a resource and a status. */
const NOTIFICATION_BYTES_MAX = 16 * 1024

/**
 * Most notifications are still processed when a bank settles a thousand payments at once; scheduled polls cover the
 * rest.
 */
const NOTIFICATIONS_PER_SECOND = 100

/** Notifications about one resource lead to at most one read at the bank within this time. */
export const NOTIFICATION_INTERVAL = { seconds: 10 }

/** Processes a notification; its errors are logged. The body is the parsed JSON, undefined when it held none. */
export type NotificationHandler<Address> = (address: Address, body: unknown) => Promise<void>

/**
 * Registers an endpoint. Neither its response nor an error reveals whether the notification was known or could be
 * parsed.
 */
export function serveNotificationEndpoint<Address>(
  server: FastifyInstance,
  path: string,
  log: Log,
  handle: NotificationHandler<Address>,
): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) =>
      done(null, parseOptionalJson(text.toString())),
    )
    const limitRate = openRateLimit({ max: NOTIFICATIONS_PER_SECOND, windowSeconds: 1 })
    scope.addHook('onRequest', async (request, reply) => {
      try {
        limitRate(request, reply, clientNetwork(request.ip))
      } catch {
        return reply.code(204).send()
      }
    })
    scope.setErrorHandler((error, request, reply) => {
      log.warn({ requestId: request.id, route: path, error }, 'inbound notification could not be processed')
      if (error instanceof DatabaseUnavailable) {
        // Nothing was looked up, so that this reveals nothing, and the sender notifies again.
        throw error
      }
      return reply.code(204).send()
    })
    scope.post(path, { bodyLimit: NOTIFICATION_BYTES_MAX }, async (request: FastifyRequest, reply) => {
      await handle(request.params as Address, request.body)
      return reply.code(204).send()
    })
  })
}
