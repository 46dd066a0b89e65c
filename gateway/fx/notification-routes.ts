/** Registers the route that receives notifications of the FX provider. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { clientNetwork } from '../platform/http/ip-address.ts'
import { openRateLimit } from '../platform/http/rate-limit.ts'
import { isId } from '../platform/ids.ts'
import { recordInboundFunds } from './funding/record-inbound-funds.ts'
import type { ReceivedNotification } from './providers/fx-provider.ts'
import { tryProviderCall } from './providers/provider-retry.ts'
import { makeNotifiedDealDue } from './store/deal-transition-store.ts'
import { makeNotifiedReturnDue } from './store/inbound-funds-store.ts'

/** Path below HAVN_BASE_URL; operators register it at their provider. */
export const FX_NOTIFICATIONS_PATH = '/notices/fx'

/** A notification contains one resource and its state. */
const NOTIFICATION_BYTES_MAX = 64 * 1024
/** The provider retries rejected notifications; polling finds what it gives up on. */
const NOTIFICATIONS_PER_SECOND = 100

/** The signature covers the raw body, so the body is not parsed before it is checked. */
export function serveFxNotifications(server: FastifyInstance, context: Context): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const limitRate = openRateLimit({ max: NOTIFICATIONS_PER_SECOND, windowSeconds: 1 })
    scope.addHook('onRequest', async (request, reply) => limitRate(request, reply, clientNetwork(request.ip)))
    scope.post(FX_NOTIFICATIONS_PATH, { bodyLimit: NOTIFICATION_BYTES_MAX }, async (request, reply) => {
      await receiveNotification(context, request)
      return reply.code(204).send()
    })
  })
}

/** The response does not reveal a failed check; the log does, because our key may be wrong. */
async function receiveNotification(context: Context, { headers, body, id, ip }: FastifyRequest): Promise<void> {
  const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!(await handleFxNotification(context, { headers, rawBody }))) {
    context.log.warn(
      { requestId: id, from: ip },
      'ignored a provider notification with an invalid signature or about an unknown resource',
    )
  }
}

/** Returns false for a notification with an invalid signature or about an unknown resource. Sweeps do the rest. */
async function handleFxNotification(context: Context, arrived: ReceivedNotification): Promise<boolean> {
  const { fx, database, clock } = context
  const notification = fx?.parseNotification(arrived) ?? null
  if (fx === null || notification === null) {
    return false
  }
  const now = clock.now()
  if (notification.about === 'receipt') {
    const read = await tryProviderCall(() => fx.readInboundFunds(notification.id))
    if ('error' in read) {
      // The next poll for inbound funds finds it.
      return read.error.kind !== 'unknown-resource'
    }
    await recordInboundFunds(context, fx.name, read.done)
  } else if (notification.requestId !== null && isId(notification.requestId)) {
    await makeNotifiedDealDue(database, notification.requestId, now)
    await makeNotifiedReturnDue(database, notification.requestId, now)
  }
  return true
}
