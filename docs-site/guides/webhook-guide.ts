/** The guide to webhooks: content of a delivery, signature verification and retries. */
import { html } from 'ghtml'
import { PaymentStatusEvent } from '../../contract/webhooks/webhook-events.ts'
import { describeSchema } from '../describe-schema.ts'
import { fieldList } from '../field-list.ts'
import { code, definitionList, type Guide } from './guide.ts'

const HEADERS = [
  ['X-SVC-Webhook-Id', 'Identifies the delivery; the same in every attempt.'],
  ['X-SVC-Webhook-Event', 'The type of the event.'],
  ['X-SVC-Webhook-Subscription', 'The subscription to which the delivery belongs.'],
  ['X-SVC-Webhook-Timestamp', 'When this attempt was signed, in seconds since 1970.'],
  ['X-SVC-Webhook-Signature', 'v1= and the HMAC-SHA256 of timestamp, a full stop and the raw body, in hex.'],
  ['Authorization', 'Bearer and your token, where the subscription has one.'],
] as const

/** Exported so that a test runs it. */
export const VERIFICATION = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the raw bytes, before parsing. now: seconds since 1970.
function isGenuine({ headers, body }, signingSecret, now) {
  const timestamp = headers['x-svc-webhook-timestamp']
  const given = Buffer.from(headers['x-svc-webhook-signature'] ?? '')
  const right = createHmac('sha256', signingSecret).update(timestamp + '.').update(body)
  const expected = Buffer.from('v1=' + right.digest('hex'))
  const isFresh = Math.abs(now - Number(timestamp)) < 300
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected)
}`

/** The webhooks chapter. */
export function webhookGuide(): Guide {
  return {
    id: 'webhooks',
    title: 'Webhooks',
    body: html`<p>Receive events instead of polling: a <a href="#createWebhookSubscription">subscription</a> names your https URL
and the events to deliver there. Each change of a payment’s status is posted as JSON:</p>
!${fieldList(describeSchema(PaymentStatusEvent))}
<h3>Headers of a delivery</h3>
!${definitionList(HEADERS)}
<h3>Verify the signature</h3>
<p>The signing secret is returned once, when the subscription is created; its UTF-8 bytes are the key. Verify the signature
before anything else:</p>
!${code(VERIFICATION, 'typescript')}
<h3>Retries</h3>
<p>Return 2xx within ten seconds, and process the event afterwards. After network errors, <span class="status">408</span>,
<span class="status">429</span> and 5xx the delivery is retried after about 1, 5, 30, 120 and 360 minutes; any other status ends
it. Deliveries may arrive twice and out of order: use the event’s <code>id</code> and <code>occurredAt</code>, and read
the payment when in doubt.</p>`,
  }
}
