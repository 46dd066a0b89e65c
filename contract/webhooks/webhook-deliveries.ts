/** Declares the operations on webhook deliveries: list, get, retry, and list events without webhooks. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { cursorParameter, instant, orNull, text, textOrNull, uuid } from '../shapes.ts'
import { EVENT_TYPES, type EventFamily, eventFamilies } from './event-types.ts'
import { TEST_EVENT, WebhookEventBody } from './webhook-events.ts'
import { subscriptionParams, WEBHOOK_PATH, webhookChange, webhookRead } from './webhook-subscriptions.ts'

export const WebhookDeliveryStatus = Type.Enum(['Queued', 'Delivered', 'Failed', 'Refused'], {
  title: 'WebhookDeliveryStatus',
  description:
    'Queued: waits for its first or next attempt. Delivered: answered 2xx. Failed: all attempts failed. ' +
    'Refused: the URL leads to a forbidden address; nothing was sent.',
})
export type WebhookDeliveryStatus = Static<typeof WebhookDeliveryStatus>

export const WebhookAttempt = Type.Object(
  {
    at: instant('When it started, in business time.'),
    durationMilliseconds: Type.Integer({ description: 'Its duration.' }),
    statusCode: orNull(Type.Integer(), 'The HTTP status of the response; null if there was none.'),
    answer: textOrNull('The first kilobyte of the response body.'),
    error: textOrNull('Why it did not succeed; null when it did.'),
  },
  { title: 'WebhookAttempt', description: 'One attempt at a delivery.' },
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

const listed = {
  id: uuid('Identifies the delivery; the same in each of its attempts.'),
  eventId: uuid('The delivered event.'),
  eventType: text('The type of the event.'),
  status: WebhookDeliveryStatus,
  createdAt: instant('When it was queued.'),
  attemptsMade: Type.Integer({ description: 'The number of attempts.' }),
  nextAttemptAt: orNull(
    instant('When the next attempt is due.'),
    'When the next attempt is due; null if there is none.',
  ),
  lastError: textOrNull('Why the last attempt did not succeed; null when it did, or when there was none.'),
}

export const WebhookDeliverySummary = Type.Object(listed, {
  title: 'WebhookDeliverySummary',
  description: 'A delivery without its body and attempts.',
})
export type WebhookDeliverySummary = Static<typeof WebhookDeliverySummary>

export const WebhookDelivery = Type.Object(
  {
    ...listed,
    targetUrl: text('The target URL at the time when the delivery was queued.'),
    body: text('The exact body.'),
    attempts: Type.Array(WebhookAttempt, { description: 'Every attempt, oldest first.' }),
  },
  { title: 'WebhookDelivery', description: 'The delivery of one event to one subscription.' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** The page size of deliveries and events. */
export const WEBHOOK_PAGE = { default: 100, most: 500 } as const

const limit = Type.Integer({
  minimum: 1,
  maximum: WEBHOOK_PAGE.most,
  default: WEBHOOK_PAGE.default,
  quotable: true,
  description: 'The page size.',
})
const path = `${WEBHOOK_PATH}/subscription/{id}/deliveries`
const onePath = `${path}/{deliveryId}`
const oneParams = Type.Object({ ...subscriptionParams.properties, deliveryId: uuid('The delivery.') })

export const listWebhookDeliveries = operation({
  ...webhookRead,
  id: 'listWebhookDeliveries',
  path,
  summary: 'List deliveries',
  description: 'Newest first; retained for 30 days.',
  params: subscriptionParams,
  query: Type.Object({
    status: Type.Optional(WebhookDeliveryStatus),
    eventType: Type.Optional(
      Type.Enum([...EVENT_TYPES, TEST_EVENT], {
        title: 'WebhookDeliveredEventType',
        description: 'Deliveries of this event type.',
      }),
    ),
    cursor: Type.Optional(cursorParameter('`nextCursor` of the previous page.')),
    limit: Type.Optional(limit),
  }),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        deliveries: Type.Array(WebhookDeliverySummary, { description: 'A page of deliveries.' }),
        nextCursor: textOrNull('The cursor of the next page; null on the last one.'),
      },
      { title: 'WebhookDeliveryPage', description: 'A page of deliveries.' },
    ),
  },
  errorStatuses: [400, 401, 403, 404, 429, 500, 503],
})

export const getWebhookDelivery = operation({
  ...webhookRead,
  id: 'getWebhookDelivery',
  path: onePath,
  summary: 'Get a delivery',
  description: 'The delivery with its body and its attempts.',
  params: oneParams,
  answer: { status: 200, schema: WebhookDelivery },
  errorStatuses: [401, 403, 404, 429, 500, 503],
})

export const retryWebhookDelivery = operation({
  ...webhookChange,
  id: 'retryWebhookDelivery',
  path: `${onePath}/retry`,
  summary: 'Deliver again',
  description:
    'Queues a new delivery of the same event, to the present URL of the subscription, with its present ' +
    'secret and token. The original delivery is unchanged. Returns 409 while it is still queued, while an ' +
    'earlier retry is queued, and when the subscription is disabled.',
  params: oneParams,
  answer: { status: 200, schema: WebhookDelivery },
})

export const ALL_FAMILIES = 'ALL'

export const listWebhookEvents = operation({
  ...webhookRead,
  id: 'listWebhookEvents',
  path: `${WEBHOOK_PATH}/events`,
  summary: 'Read events',
  description:
    'The events of the partner in the order of recording; those about payments are there without a subscription. Send ' +
    '`nextAfter` as `after` to continue; no event is skipped. Events are retained for 30 days: from an ' +
    'older position the list continues with the oldest event, and `missed` is true.',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}$',
        form: 'must be a number of at most 18 digits, as it was returned',
        description: '`nextAfter` of the previous page; the beginning by default.',
      }),
    ),
    family: Type.Optional(
      Type.Enum([...(Object.keys(eventFamilies) as EventFamily[]), ALL_FAMILIES], {
        description:
          'Events of this family only, or of all with ALL; PAYMENT_STATUS by default. Events of the other families ' +
          'are recorded while a subscription selects them.',
      }),
    ),
    limit: Type.Optional(limit),
  }),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        events: Type.Array(WebhookEventBody, {
          description: 'Events, oldest first, as they are delivered.',
        }),
        nextAfter: text('The position of the end of this page, to be sent as `after`.'),
        missed: Type.Boolean({
          description:
            'Whether events after `after` were deleted, so that this page begins with later ones. Then get the ' +
            'resources themselves. Never true without `after`.',
        }),
      },
      { title: 'WebhookEventPage', description: 'A page of events.' },
    ),
  },
  errorStatuses: [400, 401, 403, 429, 500, 503],
})
