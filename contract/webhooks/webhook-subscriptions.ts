/** Declares the operations on webhook subscriptions: make, read, change and disable them, renew their secrets, test them. */
import { type Static, Type } from 'typebox'
import { type Operation, operation } from '../operation.ts'
import { instant, TEXT_CHARACTERS_MAX, text, uuid } from '../shapes.ts'
import { paymentEventTypes } from './webhook-events.ts'

/** Selects every event of a payment's status. */
export const ALL_PAYMENT_EVENTS = 'PAYMENT_STATUS'

export const WebhookSelection = Type.Enum([ALL_PAYMENT_EVENTS, ...Object.values(paymentEventTypes)], {
  title: 'WebhookEventType',
  description:
    'PAYMENT_STATUS selects every change of a payment’s status, the others the changes to one status. ' +
    'Deliveries always name the specific type.',
})
export type WebhookSelection = Static<typeof WebhookSelection>

const TARGET_URL = 'Where deliveries go: https, a public host, no user name or password, no fragment.'
const eventTypes = Type.Array(WebhookSelection, {
  minItems: 1,
  description: 'What is delivered; each event at most once, even if two of the types select it.',
})

export const WebhookSubscriptionAsked = Type.Object(
  {
    targetUrl: Type.String({
      pattern: '^https?://.',
      form: 'cannot be used. The address must begin with https://',
      maxLength: TEXT_CHARACTERS_MAX.url,
      description: TARGET_URL,
    }),
    eventTypes,
  },
  { title: 'WebhookSubscriptionAsked', description: 'Where to deliver, and what.' },
)
export type WebhookSubscriptionAsked = Static<typeof WebhookSubscriptionAsked>

const subscription = {
  id: uuid('Identifies the subscription.'),
  targetUrl: text(TARGET_URL),
  enabled: Type.Boolean({ description: 'Whether new events are delivered.' }),
  createdAt: instant('When it was made.'),
  updatedAt: instant('When it was changed last.'),
  eventTypes,
  hasBearerToken: Type.Boolean({ description: 'Whether deliveries carry a bearer token; it is never shown.' }),
}

export const WebhookSubscription = Type.Object(subscription, {
  title: 'WebhookSubscription',
  description: 'Whom to tell of which events.',
})
export type WebhookSubscription = Static<typeof WebhookSubscription>

export const WebhookSubscriptionWithSecret = Type.Object(
  {
    ...subscription,
    signingSecret: text('Signs every delivery; shown here and never again. Its UTF-8 bytes are the key.'),
  },
  { title: 'WebhookSubscriptionWithSecret', description: 'A subscription with the secret that was made for it.' },
)
export type WebhookSubscriptionWithSecret = Static<typeof WebhookSubscriptionWithSecret>

export const WebhookTestResult = Type.Object(
  {
    deliveryId: uuid('The delivery, to be found in the log.'),
    succeeded: Type.Boolean({ description: 'Whether the endpoint answered 2xx to the first attempt.' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'What went wrong; null when nothing did.' }),
  },
  { title: 'WebhookTestResult', description: 'What became of a test delivery’s first attempt.' },
)
export type WebhookTestResult = Static<typeof WebhookTestResult>

export const WEBHOOK_TAG = 'Webhooks'
export const WEBHOOK_PATH = '/api/webhooks'
const path = `${WEBHOOK_PATH}/subscription`
export const subscriptionParams = { id: uuid('The subscription.') }
const params = Type.Object(subscriptionParams)

/** What all operations of webhook management have in common. */
export const webhookOperation = {
  server: 'base',
  tag: WEBHOOK_TAG,
  admits: 'partner',
  psu: 'none',
  failures: [],
  malformed: 400,
  sandboxOnly: false,
} as const satisfies Partial<Operation>

/** A key that comes again with another body is the only 422. */
const changing = { ...webhookOperation, method: 'POST', validation: ['InvalidRequest'], idempotent: true } as const
const reading = { ...webhookOperation, method: 'GET', validation: [], idempotent: false } as const

export const createWebhookSubscription = operation({
  ...changing,
  id: 'createWebhookSubscription',
  path,
  summary: 'Subscribe to events',
  description:
    'Enabled at once; earlier events are not delivered. Keep the signing secret: it is not shown again. ' +
    'Only the form of the address is looked at here, not whether anything answers there.',
  body: WebhookSubscriptionAsked,
  answer: { status: 201, schema: WebhookSubscriptionWithSecret },
  refusals: [400, 401, 403, 409, 429, 500, 503],
})

/** More than anybody reads, and several times as many as may be enabled: those come first. */
export const WEBHOOK_SUBSCRIPTIONS_LISTED_MAX = 500

export const listWebhookSubscriptions = operation({
  ...reading,
  id: 'listWebhookSubscriptions',
  path,
  summary: 'List subscriptions',
  description: `Every enabled one, then disabled ones, newest first in both; ${WEBHOOK_SUBSCRIPTIONS_LISTED_MAX} at most.`,
  answer: {
    status: 200,
    schema: Type.Array(WebhookSubscription, { description: 'The partner’s subscriptions.' }),
  },
  refusals: [401, 403, 429, 500, 503],
})

export const getWebhookSubscription = operation({
  ...reading,
  id: 'getWebhookSubscription',
  path: `${path}/{id}`,
  summary: 'Read a subscription',
  params,
  answer: { status: 200, schema: WebhookSubscription },
  refusals: [401, 403, 404, 429, 500, 503],
})

export const updateWebhookSubscription = operation({
  ...webhookOperation,
  id: 'updateWebhookSubscription',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a subscription',
  description:
    'Both members are given whole. Bearer token and signing secret stay; deliveries that are queued still go to the ' +
    'former address. A disabled subscription stays disabled.',
  params,
  body: WebhookSubscriptionAsked,
  answer: { status: 200, schema: WebhookSubscription },
  refusals: [400, 401, 403, 404, 429, 500, 503],
  validation: [],
  idempotent: false,
})

export const disableWebhookSubscription = operation({
  ...changing,
  id: 'disableWebhookSubscription',
  path: `${path}/{id}/disable`,
  summary: 'Disable a subscription',
  description: 'For good. Deliveries that are queued still go out; doing it again changes nothing.',
  params,
  answer: { status: 200, schema: WebhookSubscription },
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
})

export const rotateWebhookBearerToken = operation({
  ...changing,
  id: 'rotateWebhookBearerToken',
  path: `${path}/{id}/rotate-bearer-token`,
  summary: 'Set or replace the bearer token',
  description: 'Deliveries queued from now on carry it. It cannot be removed.',
  params,
  body: Type.Object({
    bearerToken: Type.String({
      pattern: '^[!-~]([ -~]*[!-~])?$',
      form: 'may hold printable ASCII characters only, and no blank at its ends',
      // Together with what else a request carries it stays below the headers that common servers take.
      maxLength: 4096,
      description: 'The token without `Bearer ` in front: printable ASCII characters.',
    }),
  }),
  answer: { status: 200, schema: WebhookSubscription },
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
})

export const rotateWebhookSigningSecret = operation({
  ...changing,
  id: 'rotateWebhookSigningSecret',
  path: `${path}/{id}/rotate-signing-secret`,
  summary: 'Make a new signing secret',
  description: 'Deliveries queued from now on are signed with it; those queued before, retries included, with the old.',
  params,
  answer: { status: 200, schema: WebhookSubscriptionWithSecret },
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
})

export const testWebhookSubscription = operation({
  ...changing,
  id: 'testWebhookSubscription',
  path: `${path}/{id}/test`,
  summary: 'Send a test delivery',
  description:
    'Sends `webhook.test` within the request, whatever types are selected. Answers 200 also when it fails; what may ' +
    'be tried again is. Answers 429 when other tests are still under way, and after 30 in a minute.',
  params,
  answer: { status: 200, schema: WebhookTestResult },
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
})
