/** Declares the operations on what was delivered: the log, retrying by hand, and reading events without webhooks. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { cursorAsked, instant, text, uuid } from '../shapes.ts'
import { PaymentStatusEvent, paymentEventTypes } from './webhook-events.ts'
import { subscriptionParams, WEBHOOK_PATH, webhookOperation } from './webhook-subscriptions.ts'

/** The type of the event that a test delivers. */
export const TEST_EVENT = 'webhook.test'

export const WebhookDeliveryStatus = Type.Enum(['Queued', 'Delivered', 'Failed', 'Refused'], {
  title: 'WebhookDeliveryStatus',
  description:
    'Queued: waits for its first or next attempt. Delivered: answered 2xx. Failed: answered otherwise, or given up. ' +
    'Refused: the address leads where deliveries must not go; nothing was sent.',
})
export type WebhookDeliveryStatus = Static<typeof WebhookDeliveryStatus>

const orNull = <Schema extends ReturnType<typeof text> | ReturnType<typeof Type.Integer>>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

export const WebhookAttempt = Type.Object(
  {
    at: instant('When it began, in business time.'),
    durationMilliseconds: Type.Integer({ description: 'How long it took.' }),
    statusCode: orNull(Type.Integer(), 'The HTTP status that was answered; null when nothing was.'),
    answer: orNull(Type.String(), 'The first kilobyte of the answer’s body.'),
    error: orNull(Type.String(), 'Why it did not succeed; null when it did.'),
  },
  { title: 'WebhookAttempt', description: 'One attempt at a delivery.' },
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

const listed = {
  id: uuid('Identifies the delivery; the same in each of its attempts.'),
  eventId: uuid('The event that it tells of.'),
  eventType: text('The type of the event.'),
  status: WebhookDeliveryStatus,
  createdAt: instant('When it was queued.'),
  attemptsMade: Type.Integer({ description: 'How often it was tried.' }),
  nextAttemptAt: Type.Union([instant('When the next attempt is due.'), Type.Null()], {
    description: 'When it is tried next; null when it is not.',
  }),
  lastError: orNull(Type.String(), 'Why the last attempt did not succeed; null when it did, or when there was none.'),
}

export const WebhookDeliveryListed = Type.Object(listed, {
  title: 'WebhookDeliveryListed',
  description: 'A delivery in short.',
})
export type WebhookDeliveryListed = Static<typeof WebhookDeliveryListed>

export const WebhookDelivery = Type.Object(
  {
    ...listed,
    targetUrl: text('Where it goes: the address as it was when the delivery was queued.'),
    body: text('What is sent, byte for byte.'),
    attempts: Type.Array(WebhookAttempt, { description: 'Every attempt, oldest first.' }),
  },
  { title: 'WebhookDelivery', description: 'One event on its way to one subscription.' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** How many deliveries or events a page holds. */
export const WEBHOOK_PAGE = { default: 100, most: 500 } as const

const limit = Type.Integer({
  minimum: 1,
  maximum: WEBHOOK_PAGE.most,
  default: WEBHOOK_PAGE.default,
  description: 'How many a page holds.',
})
const path = `${WEBHOOK_PATH}/subscription/{id}/deliveries`
const onePath = `${path}/{deliveryId}`
const oneParams = Type.Object({ ...subscriptionParams, deliveryId: uuid('The delivery.') })
const reading = { ...webhookOperation, method: 'GET', validation: [], idempotent: false } as const

export const listWebhookDeliveries = operation({
  ...reading,
  id: 'listWebhookDeliveries',
  path,
  summary: 'Read the delivery log',
  description: 'Newest first; kept for 30 days.',
  params: Type.Object(subscriptionParams),
  query: Type.Object({
    status: Type.Optional(WebhookDeliveryStatus),
    eventType: Type.Optional(
      Type.Enum([...Object.values(paymentEventTypes), TEST_EVENT], { description: 'Deliveries of this event type.' }),
    ),
    cursor: Type.Optional(cursorAsked('`nextCursor` of the page before.')),
    limit: Type.Optional(limit),
  }),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        deliveries: Type.Array(WebhookDeliveryListed, { description: 'A page of deliveries.' }),
        nextCursor: orNull(Type.String(), 'Leads to the next page; null on the last one.'),
      },
      { title: 'WebhookDeliveryPage', description: 'A page of the log.' },
    ),
  },
  refusals: [400, 401, 403, 404, 429, 500, 503],
})

export const getWebhookDelivery = operation({
  ...reading,
  id: 'getWebhookDelivery',
  path: onePath,
  summary: 'Read a delivery',
  params: oneParams,
  answer: { status: 200, schema: WebhookDelivery },
  refusals: [401, 403, 404, 429, 500, 503],
})

export const retryWebhookDelivery = operation({
  ...webhookOperation,
  id: 'retryWebhookDelivery',
  method: 'POST',
  path: `${onePath}/retry`,
  summary: 'Deliver again',
  description:
    'Queues a new delivery of the same event, to the address of the subscription as it is now, with its present ' +
    'secret and token. The one that is retried stays as it is. Answers 409 while that is still queued, while one that ' +
    'was asked for here before is, and when the subscription is disabled.',
  params: oneParams,
  answer: { status: 200, schema: WebhookDelivery },
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const listWebhookEvents = operation({
  ...reading,
  id: 'listWebhookEvents',
  path: `${WEBHOOK_PATH}/events`,
  summary: 'Read events',
  description:
    'Every event of the partner in the order in which they were recorded, whatever was subscribed to. Send ' +
    '`nextAfter` as `after` to go on; no event is passed over. Events are kept for 30 days: who goes on from an older ' +
    'place gets the oldest that there are, and is told by `missed`.',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}$',
        form: 'must be a number of at most 18 digits, as it was returned',
        description: '`nextAfter` of the page before; the beginning without it.',
      }),
    ),
    limit: Type.Optional(limit),
  }),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        events: Type.Array(PaymentStatusEvent, { description: 'Events, oldest first, as they are delivered.' }),
        nextAfter: text('Where this page ends, to be sent as `after`.'),
        missed: Type.Boolean({
          description:
            'Whether events behind `after` are kept no more, so that this page begins with later ones. Read the ' +
            'payments themselves then. Never true without `after`.',
        }),
      },
      { title: 'WebhookEventPage', description: 'A page of events.' },
    ),
  },
  refusals: [400, 401, 403, 429, 500, 503],
})
