/** Serves the inboxes on a port of their own: deliveries never reach the ports of the API, the console or the workers. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { ServerSettings } from '../../platform/http/server.ts'
import { openServer } from '../../platform/http/server.ts'
import { receiveInboxDelivery } from './receive-inbox-delivery.ts'

/** Its only path takes deliveries. */
export function openInboxServer(
  context: Context,
  connections: NonNullable<ServerSettings['connections']>,
): FastifyInstance {
  const server = openServer({ log: context.log, baseUrl: context.config.baseUrl, trustProxy: 0, connections })
  // The signature covers the bytes of the body, whatever their media type.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  server.post<{ Params: { partnerId: string; token: string } }>(
    '/inbox/:partnerId/:token',
    async ({ params, headers, body }, reply) => {
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
      const signatureStatus = await receiveInboxDelivery(context, {
        ...params,
        headers: Object.fromEntries(texts),
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      })
      return await reply.code(signatureStatus === 'valid' ? 204 : 401).send()
    },
  )
  return server
}
