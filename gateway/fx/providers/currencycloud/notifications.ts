/** Parses notifications of the provider after checking their signature. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderNotification, ReceivedNotification } from '../provider-notification.ts'
import { type Notification, readNotification } from './wire.ts'

const SIGNATURE_HEADER = 'x-hmac-digest-sha-512'
const SIGNATURE = /^[0-9a-f]{128}$/i

/** Null without a key, with an invalid signature, or for resources that are not tracked. */
export function parseNotification(
  key: string | null,
  { headers, rawBody }: ReceivedNotification,
): ProviderNotification | null {
  const signature = headers[SIGNATURE_HEADER]
  if (key === null || typeof signature !== 'string' || !isSignatureOf(signature, key, rawBody)) {
    return null
  }
  const notification = readNotification(rawBody.toString('utf8'))
  return notification === undefined ? null : toProviderNotification(notification)
}

function isSignatureOf(signature: string, key: string, rawBody: Buffer): boolean {
  const expected = createHmac('sha512', key).update(rawBody).digest()
  return SIGNATURE.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

function toProviderNotification({ header, body }: Notification): ProviderNotification | null {
  const requestId = body.unique_request_id || null
  switch (header.message_type) {
    case 'payment':
      return { about: 'payout', id: body.id, requestId }
    case 'conversion':
      return { about: 'conversion', id: body.id, requestId }
    case 'cash_manager_transaction':
      return body.related_entity_type === 'inbound_funds' && body.related_entity_id
        ? { about: 'receipt', id: body.related_entity_id, requestId: null }
        : null
    default:
      return null
  }
}
