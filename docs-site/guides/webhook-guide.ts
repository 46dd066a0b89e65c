/** The guide to webhooks: what a delivery is, how to know that it is genuine, and what happens when it fails. */
import { html } from 'ghtml'
import { PaymentStatusEvent } from '../../contract/webhooks/webhook-events.ts'
import { insideOf } from '../describe-schema.ts'
import { fieldList } from '../field-list.ts'
import { code, type Guide, meanings } from './guide.ts'

const HEADERS = [
  ['X-SVC-Webhook-Id', 'Identifies the delivery; the same in every attempt.'],
  ['X-SVC-Webhook-Event', 'The type of the event.'],
  ['X-SVC-Webhook-Timestamp', 'When this attempt was signed, in seconds since 1970.'],
  ['X-SVC-Webhook-Signature', 'v1= and the HMAC-SHA256 of timestamp, a full stop and the raw body, in hex.'],
  ['Authorization', 'Bearer and your token, where the subscription has one.'],
] as const

/** Exported so that a test runs it. */
export const VERIFICATION = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the bytes as they came, before anything parses them. now: seconds since 1970.
function isGenuine({ headers, body }, signingSecret, now) {
  const timestamp = headers['x-svc-webhook-timestamp']
  const given = Buffer.from(headers['x-svc-webhook-signature'] ?? '')
  const right = createHmac('sha256', signingSecret).update(timestamp + '.').update(body)
  const expected = Buffer.from('v1=' + right.digest('hex'))
  const isFresh = Math.abs(now - Number(timestamp)) < 300
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected)
}`

/** How a partner is told of changes. */
export function webhookGuide(): Guide {
  return {
    id: 'webhooks',
    title: 'Webhooks',
    body: html`<p>Instead of asking, be told: a <a href="#createWebhookSubscription">subscription</a> names an https address of
yours and the events that you want there. Each change of a payment’s status is posted as JSON:</p>
!${fieldList(insideOf(PaymentStatusEvent))}
<h3>Headers of a delivery</h3>
!${meanings(HEADERS)}
<h3>Is it genuine?</h3>
<p>The signing secret is shown once, when the subscription is made; its UTF-8 bytes are the key. Check the signature before
anything else:</p>
!${code(VERIFICATION, 'typescript')}
<h3>When it fails</h3>
<p>Answer 2xx within ten seconds, and do your work afterwards. A network that fails, <span class="status">408</span>,
<span class="status">429</span> and 5xx are tried again after about 1, 5, 30, 120 and 360 minutes; any other answer ends the
delivery. Deliveries may come twice and out of order: go by the event’s <code>id</code> and <code>occurredAt</code>, and read
the payment when in doubt.</p>`,
  }
}
