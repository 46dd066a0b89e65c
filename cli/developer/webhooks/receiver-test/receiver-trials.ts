/** Lists what a partner's endpoint must do with deliveries: each trial with what is sent, what is expected, and advice. */
import { createHmac } from 'node:crypto'
import { eventExamples } from '../../../../contract/examples/webhook-events.ts'
import { TRANSACTIONS_PER_EVENT_MAX } from '../../../../contract/webhooks/webhook-events.ts'
import { movableClock } from '../../../../gateway/platform/clock.ts'
import { newId } from '../../../../gateway/platform/ids.ts'
import type { PostedDelivery } from '../post-delivery.ts'

/** One trial. Its deliveries are sent one after the other, or together. */
export type ReceiverTrial = {
  readonly name: string
  readonly title: string
  /** Whether each is answered 2xx, or each is not. */
  readonly expected: 'accepted' | 'rejected'
  readonly together?: boolean
  /** What to do when the endpoint does otherwise. */
  readonly advice: string
  deliveries(secrets: TrialSecrets): readonly PostedDelivery[]
}

export type TrialSecrets = { readonly secret: string; readonly newSecret: string | undefined }

const MINUTES_10 = 600
const MILLISECONDS = 1_000
const subscriptionId = newId()
const TOGETHER = 20
const ACCEPTS = 'Answer 2xx within ten seconds as soon as the event is stored, and process it afterwards.'
const DEDUPLICATES = 'An event may be delivered several times: answer 2xx, and recognise it by the id in its body.'
const VERIFIES =
  'Verify X-SVC-Webhook-Signature: HMAC-SHA256 of timestamp, "." and the received bytes, compared in constant time, before ' +
  'anything else; answer 401 when it is wrong.'
const CHECKS_TIME =
  'Reject a timestamp that is more than five minutes off, so that a recorded delivery cannot be sent again.'
const TOLERATES = 'New types and fields are added without a new version: answer 2xx, and ignore what you do not know.'
const READS_BYTES =
  'Verify the bytes of the body as received: JSON that is parsed and written again has another signature.'

const trial = (
  name: string,
  title: string,
  [expected, advice]: readonly [ReceiverTrial['expected'], string],
  deliveries: ReceiverTrial['deliveries'],
): ReceiverTrial => ({ name, title, expected, advice, deliveries })

/** In the order in which they run: the later ones mean nothing when a valid delivery is not accepted. */
export const RECEIVER_TRIALS: readonly ReceiverTrial[] = [
  trial('valid', 'a valid delivery is accepted', ['accepted', ACCEPTS], ({ secret }) => [
    newDelivery(newEvent(), secret),
  ]),
  trial('families', 'an event of each family is accepted', ['accepted', TOLERATES], ({ secret }) =>
    Object.values(eventExamples).map((event) => newDelivery(newEvent(event), secret)),
  ),
  trial('attempts', 'a second attempt of a delivery is accepted', ['accepted', DEDUPLICATES], ({ secret }) => {
    const [event, deliveryId] = [newEvent(), newId()]
    return [newDelivery(event, secret, { deliveryId, ageSeconds: 60 }), newDelivery(event, secret, { deliveryId })]
  }),
  trial('replays', 'an event in another delivery is accepted', ['accepted', DEDUPLICATES], ({ secret }) => {
    const event = newEvent()
    return [newDelivery(event, secret), newDelivery(event, secret)]
  }),
  trial(
    'order',
    'an event that is older than the one before is accepted',
    ['accepted', 'Deliveries may arrive out of order: answer 2xx, and compare `occurredAt` with what you know.'],
    ({ secret }) => [
      newDelivery(newEvent({ type: 'PAYMENT_STATUS_COMPLETED' }), secret),
      newDelivery(newEvent({}, MINUTES_10), secret),
    ],
  ),
  trial(
    'unknown-type',
    'a type of event that does not exist yet is accepted',
    ['accepted', TOLERATES],
    ({ secret }) => [newDelivery(newEvent({ type: 'SOMETHING_NEW_HAPPENED', data: { of: 'another form' } }), secret)],
  ),
  trial(
    'unknown-fields',
    'an event with fields that do not exist yet is accepted',
    ['accepted', TOLERATES],
    ({ secret }) => [
      newDelivery(newEvent({ data: { ...eventExamples.PAYMENT_STATUS.data, newField: [1] }, newPart: {} }), secret),
    ],
  ),
  trial(
    'bytes',
    'a body with other white space, escapes and letters is accepted',
    ['accepted', READS_BYTES],
    ({ secret }) => {
      const event = newEvent({
        data: { ...eventExamples.PAYMENT_STATUS.data, statusReasonText: 'Beløpet er for høyt' },
      })
      const body = `${JSON.stringify(event, null, 2).replace('Unsigned', '\\u0055nsigned')}\n`
      return [deliveryOf(body, event.type, secret)]
    },
  ),
  trial('large', 'an event of the largest size is accepted', ['accepted', ACCEPTS], ({ secret }) => {
    const [changed] = eventExamples.PAYROLL_TRANSACTION_STATUS.data.transactions
    const transactions = Array.from({ length: TRANSACTIONS_PER_EVENT_MAX }, (_, position) => ({ ...changed, position }))
    const data = { ...eventExamples.PAYROLL_TRANSACTION_STATUS.data, transactions }
    return [newDelivery(newEvent({ ...eventExamples.PAYROLL_TRANSACTION_STATUS, data }), secret)]
  }),
  {
    ...trial('together', `${TOGETHER} deliveries at once are accepted`, ['accepted', ACCEPTS], ({ secret }) =>
      Array.from({ length: TOGETHER }, () => newDelivery(newEvent(), secret)),
    ),
    together: true,
  },
  trial('wrong-signature', 'a wrong signature is rejected', ['rejected', VERIFIES], ({ secret }) => [
    newDelivery(newEvent(), `${secret}x`),
  ]),
  trial(
    'changed-body',
    'a body that was changed after it was signed is rejected',
    ['rejected', VERIFIES],
    ({ secret }) => {
      const event = newEvent()
      const sentBody = JSON.stringify({ ...event, type: 'PAYMENT_STATUS_COMPLETED' })
      return [newDelivery(event, secret, { sentBody })]
    },
  ),
  trial('no-signature', 'a delivery without signature or timestamp is rejected', ['rejected', VERIFIES], ({ secret }) =>
    ['signature', 'timestamp'].map((name) => newDelivery(newEvent(), secret, { without: [`x-svc-webhook-${name}`] })),
  ),
  trial('malformed-signature', 'a signature in another form is rejected', ['rejected', VERIFIES], ({ secret }) => [
    newDelivery(newEvent(), secret, { signature: (right) => right.replace('v1=', '') }),
    newDelivery(newEvent(), secret, { signature: (right) => right.slice(0, 'v1='.length + 1) }),
    newDelivery(newEvent(), secret, { signature: () => 'v1=' }),
  ]),
  trial(
    'old-timestamp',
    'a delivery that was signed ten minutes ago is rejected',
    ['rejected', CHECKS_TIME],
    ({ secret }) => [newDelivery(newEvent(), secret, { ageSeconds: MINUTES_10 })],
  ),
  trial(
    'future-timestamp',
    'a delivery with a timestamp in ten minutes is rejected',
    ['rejected', CHECKS_TIME],
    ({ secret }) => [newDelivery(newEvent(), secret, { ageSeconds: -MINUTES_10 })],
  ),
]

/** Only with `--new-secret`. */
export const ROTATION_TRIAL: ReceiverTrial = trial(
  'rotation',
  'deliveries signed with the old and with the new secret are accepted',
  [
    'accepted',
    'While a secret is rotated, accept both: deliveries that were queued before are signed with the old one.',
  ],
  ({ secret, newSecret = secret }) => [newDelivery(newEvent(), secret), newDelivery(newEvent(), newSecret)],
)

/** An event, as JSON has it. */
type TrialEvent = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string }

/** What differs from a delivery as the gateway makes it. */
type Deviations = {
  readonly deliveryId?: string
  /** The age of the signature's timestamp; negative in the future. */
  readonly ageSeconds?: number
  /** Sent in place of the signed body. */
  readonly sentBody?: string
  readonly signature?: (right: string) => string
  /** Headers that are left out, in lower case. */
  readonly without?: readonly string[]
}

/** A new event, of a payment by default, which happened now or earlier. */
function newEvent(changes: Readonly<Record<string, unknown>> = {}, ageSeconds = 0): TrialEvent {
  const occurredAt = movableClock().real().subtract({ seconds: ageSeconds })
  return {
    ...eventExamples.PAYMENT_STATUS,
    ...changes,
    occurredAt: occurredAt.toString({ fractionalSecondDigits: 3 }),
    id: newId(),
  }
}

function newDelivery(event: TrialEvent, secret: string, deviations: Deviations = {}): PostedDelivery {
  return deliveryOf(JSON.stringify(event), event.type, secret, deviations)
}

/** With a body that is not written as `JSON.stringify` does. */
function deliveryOf(
  body: string,
  type: string,
  secret: string,
  { deliveryId = newId(), ageSeconds = 0, sentBody = body, signature, without = [] }: Deviations = {},
): PostedDelivery {
  const timestamp = String(Math.floor(movableClock().real().epochMilliseconds / MILLISECONDS) - ageSeconds)
  const right = `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'havn-webhook-test',
    'x-svc-webhook-id': deliveryId,
    'x-svc-webhook-event': type,
    'x-svc-webhook-subscription': subscriptionId,
    'x-svc-webhook-timestamp': timestamp,
    'x-svc-webhook-signature': signature === undefined ? right : signature(right),
  }
  return {
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !without.includes(name))),
    body: sentBody,
  }
}
