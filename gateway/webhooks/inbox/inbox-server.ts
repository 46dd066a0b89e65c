/** Serves the inboxes on a port of their own: deliveries never reach the ports of the API, the console or the workers. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { openServer, type ServerSettings } from '../../platform/http/server.ts'
import { isId, newId } from '../../platform/ids.ts'
import { listSigningSecrets } from '../store/subscription-store.ts'
import { findInboxToken, inboxUrlOf, insertInboxDelivery, type SignatureStatus } from './inbox.ts'

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

/** A request to the URL of an inbox. */
export type InboxRequest = {
  readonly partnerId: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A receiver rejects older or later timestamps, so that a recorded delivery cannot be sent again. */
const TIMESTAMP_TOLERANCE_SECONDS = 300

/** The scheme of the bearer token is shown, and not the token. */
const MASKED_CREDENTIAL = '••••'

/** Records the delivery whatever its signature, so that a developer sees why it fails. Throws for an unknown URL. */
export async function receiveInboxDelivery(
  { database, seal, clock, config }: Context,
  { partnerId, token, headers, body }: InboxRequest,
): Promise<SignatureStatus> {
  const known = isId(partnerId) ? await findInboxToken(database, partnerId) : undefined
  if (known === undefined || !isSame(known, token)) {
    throw apiError('not-found', 'There is no inbox at this URL')
  }
  const url = inboxUrlOf(config.sandboxInboxUrl ?? '', { partnerId, token })
  const secrets = await listSigningSecrets(database, seal, { partnerId, targetUrl: url })
  const signatureStatus = verifySignature({ headers, body }, secrets, clock.real())
  const received = { partnerId, id: newId(), receivedAt: clock.real(), signatureStatus }
  const eventType = headers['x-svc-webhook-event'] ?? null
  // PostgreSQL stores no text with U+0000.
  const text = body.toString().replaceAll('\0', '\u{FFFD}')
  await insertInboxDelivery(database, { ...received, eventType, headers: withoutCredentials(headers), body: text })
  return signatureStatus
}

/** Deliveries that were queued before a rotation carry the former secret: any secret of the URL will do. */
function verifySignature(
  { headers, body }: Pick<InboxRequest, 'headers' | 'body'>,
  secrets: readonly string[],
  real: Temporal.Instant,
): SignatureStatus {
  const { 'x-svc-webhook-timestamp': timestamp, 'x-svc-webhook-signature': signature } = headers
  if (timestamp === undefined || signature === undefined) {
    return 'missing'
  }
  const age = Math.abs(real.epochMilliseconds / 1000 - Number(timestamp))
  if (!(age <= TIMESTAMP_TOLERANCE_SECONDS)) {
    return 'expired'
  }
  const expected = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
    return `v1=${hmac.digest('hex')}`
  })
  return expected.some((each) => isSame(each, signature)) ? 'valid' : 'wrong'
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization } = headers
  return authorization === undefined
    ? headers
    : { ...headers, authorization: authorization.replace(/(?<!\S)\S+$/, MASKED_CREDENTIAL) }
}
