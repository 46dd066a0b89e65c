/** Makes deliveries as the gateway does, right and wrong ones, to try a partner's endpoint. */
import { createHmac } from 'node:crypto'
import { eventExamples } from '../../../../contract/examples/webhook-events.ts'
import { movableClock } from '../../../../gateway/platform/clock.ts'
import { newId } from '../../../../gateway/platform/ids.ts'
import type { PostedDelivery } from '../post-delivery.ts'

/** An event, as JSON has it. */
export type TrialEvent = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string }

/** What differs from a delivery as the gateway makes it. */
export type Deviations = {
  readonly deliveryId?: string
  /** The age of the signature's timestamp; negative in the future. */
  readonly ageSeconds?: number
  /** Sent in place of the signed body. */
  readonly sentBody?: string
  readonly signature?: (right: string) => string
  /** Headers that are left out, in lower case. */
  readonly without?: readonly string[]
}

const MILLISECONDS = 1_000
const subscriptionId = newId()

/** A new event, of a payment by default, which happened now or earlier. */
export function newEvent(changes: Readonly<Record<string, unknown>> = {}, ageSeconds = 0): TrialEvent {
  const occurredAt = movableClock().real().subtract({ seconds: ageSeconds })
  return {
    ...eventExamples.PAYMENT_STATUS,
    ...changes,
    occurredAt: occurredAt.toString({ fractionalSecondDigits: 3 }),
    id: newId(),
  }
}

export function newDelivery(event: TrialEvent, secret: string, deviations: Deviations = {}): PostedDelivery {
  return deliveryOf(JSON.stringify(event), event.type, secret, deviations)
}

/** With a body that is not written as `JSON.stringify` does. */
export function deliveryOf(
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
