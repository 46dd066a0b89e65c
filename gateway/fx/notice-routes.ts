/** Serves the address at which the provider of exchange tells that something changed. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openRateLimit } from '../platform/http/rate-limit.ts'
import type { FxContext } from './fx-context.ts'
import { takeNotice } from './take-notice.ts'

/** The operators of a gateway tell their provider to push to this path below HAVN_BASE_URL. */
export const FX_NOTICES_PATH = '/notices/fx'

/** A notification names one thing and its state. */
const NOTICE_BYTES_MAX = 64 * 1024
/** A provider that settles everything at once comes again; what it gives up on is found by looking. */
const NOTICES_PER_SECOND = 100

/** Registers it. A signature covers the body as it came, so that nothing may be read before it is checked. */
export function serveFxNotices(server: FastifyInstance, context: FxContext): void {
  server.register(async (notices) => {
    notices.removeAllContentTypeParsers()
    notices.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const limitRate = openRateLimit(server, { name: 'fx notices', max: NOTICES_PER_SECOND, windowSeconds: 1 })
    notices.addHook('onRequest', (request, reply) => limitRate(request, reply, request.ip))
    notices.post(FX_NOTICES_PATH, { bodyLimit: NOTICE_BYTES_MAX }, async (request, reply) => {
      await take(context, request)
      return reply.code(204).send()
    })
  })
}

/** Whoever forges one learns nothing from the answer; the log tells of it, because the key may be a wrong one. */
async function take(context: FxContext, { headers, body, id, ip }: FastifyRequest): Promise<void> {
  const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!(await takeNotice(context, { headers, rawBody }))) {
    context.log.warn({ requestId: id, from: ip }, 'a notification of a provider was not believed, or of no use')
  }
}
