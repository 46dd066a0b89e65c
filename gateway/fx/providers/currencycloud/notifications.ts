/** Reads what the provider pushes to us, once its signature is known to be the provider's. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ArrivedNotice, ProviderNotice } from '../provider-notification.ts'
import { type Notification, readNotification } from './wire.ts'

const SIGNATURE_HEADER = 'x-hmac-digest-sha-512'
const SIGNATURE = /^[0-9a-f]{128}$/i

/** Null when there is no key to judge by, when it is forged, and when it is about nothing that is followed here. */
export function readNotice(key: string | null, { headers, rawBody }: ArrivedNotice): ProviderNotice | null {
  const signature = headers[SIGNATURE_HEADER]
  if (key === null || typeof signature !== 'string' || !isSignatureOf(signature, key, rawBody)) {
    return null
  }
  const notification = readNotification(rawBody.toString('utf8'))
  return notification === undefined ? null : noticeOf(notification)
}

function isSignatureOf(signature: string, key: string, rawBody: Buffer): boolean {
  const expected = createHmac('sha512', key).update(rawBody).digest()
  return SIGNATURE.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

function noticeOf({ header, body }: Notification): ProviderNotice | null {
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
