/** Declares the operations on webhook subscriptions: create, get, update, disable, rotate secrets and test. */
import { type Static, Type } from 'typebox'
import { type Operation, operation } from '../operation.ts'
import { hiddenText, instant, TEXT_CHARACTERS_MAX, text, textOrNull, uuid } from '../shapes.ts'
import { type EventFamily, type EventType, eventFamilies } from './event-types.ts'

export const ALL_PAYMENT_EVENTS = 'PAYMENT_STATUS'

const FAMILIES = Object.keys(eventFamilies) as EventFamily[]
/** Each family before its types. */
const SELECTIONS = FAMILIES.flatMap((family): (EventFamily | EventType)[] => [family, ...eventFamilies[family]])

export const WebhookSelection = Type.Enum(SELECTIONS, {
  title: 'WebhookEventType',
  description:
    'PAYMENT_STATUS selects every change of a payment’s status, PAYROLL_STATUS every change of a payroll’s, and so ' +
    'on for PAYROLL_TRANSACTION_STATUS, APPROVAL_STATUS, CONSENT, ONBOARDING_STATUS, EXCHANGE and ACCOUNT_ENTRIES; ' +
    'the others select one type. A subscription gets only what it selects. Deliveries always name the specific type.',
})
export type WebhookSelection = Static<typeof WebhookSelection>

const TARGET_URL = 'The URL for deliveries: https, a public host, no user name or password, no fragment.'
const eventTypes = Type.Array(WebhookSelection, {
  minItems: 1,
  description: 'The event types to deliver; each event is delivered once, even if two of the types select it.',
})

export const WebhookSubscriptionRequest = Type.Object(
  {
    targetUrl: Type.String({
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://.',
      form: 'is not allowed. The URL must begin with https://',
      maxLength: TEXT_CHARACTERS_MAX.url,
      description: TARGET_URL,
    }),
    eventTypes,
  },
  { title: 'WebhookSubscriptionRequest', description: 'The URL and event types of a subscription.' },
)
export type WebhookSubscriptionRequest = Static<typeof WebhookSubscriptionRequest>

const subscription = {
  id: uuid('Identifies the subscription.'),
  targetUrl: text(TARGET_URL),
  enabled: Type.Boolean({ description: 'Whether new events are delivered; false for good.' }),
  paused: Type.Boolean({ description: 'Whether new events wait until it is resumed.' }),
  createdAt: instant('When it was created.'),
  updatedAt: instant('When it was last changed.'),
  eventTypes,
  hasBearerToken: Type.Boolean({ description: 'Whether deliveries carry a bearer token; it is never shown.' }),
}

export const WebhookSubscription = Type.Object(subscription, {
  title: 'WebhookSubscription',
  description: 'A webhook subscription.',
})
export type WebhookSubscription = Static<typeof WebhookSubscription>

export const WebhookSubscriptionWarning = Type.Object(
  {
    code: Type.Enum(['DuplicateTargetUrl'], {
      description:
        'DuplicateTargetUrl: another enabled subscription delivers to this URL as well, so that events which both ' +
        'select arrive there twice, signed with different secrets. More codes may be added.',
    }),
    reason: text('The reason for the warning, as text.'),
    path: text('The path of the field, for example `.targetUrl`.'),
    subscriptionId: uuid('The other subscription; the newest one if there are several.'),
  },
  { title: 'WebhookSubscriptionWarning', description: 'A warning; the subscription was stored nevertheless.' },
)
export type WebhookSubscriptionWarning = Static<typeof WebhookSubscriptionWarning>

const warnings = Type.Optional(Type.Array(WebhookSubscriptionWarning, { description: 'Warnings to check.' }))

export const UpdatedWebhookSubscription = Type.Object(
  { ...subscription, warnings },
  { title: 'UpdatedWebhookSubscription', description: 'A subscription after its update.' },
)
export type UpdatedWebhookSubscription = Static<typeof UpdatedWebhookSubscription>

export const WebhookSubscriptionWithSecret = Type.Object(
  {
    ...subscription,
    warnings,
    signingSecret: hiddenText('Signs every delivery; returned only once. Its UTF-8 bytes are the key.'),
  },
  { title: 'WebhookSubscriptionWithSecret', description: 'A subscription with its signing secret.' },
)
export type WebhookSubscriptionWithSecret = Static<typeof WebhookSubscriptionWithSecret>

export const WebhookTestResult = Type.Object(
  {
    deliveryId: uuid('The id of the delivery.'),
    succeeded: Type.Boolean({ description: 'Whether the endpoint answered 2xx to the first attempt.' }),
    error: textOrNull('The error; null if there was none.'),
  },
  { title: 'WebhookTestResult', description: 'The outcome of the first attempt of a test delivery.' },
)
export type WebhookTestResult = Static<typeof WebhookTestResult>

export const WEBHOOK_PATH = '/api/webhooks'
const path = `${WEBHOOK_PATH}/subscription`
export const subscriptionParams = Type.Object({ id: uuid('The subscription.') })

/** The properties that all webhook operations share. */
const webhookOperation = {
  tag: 'Webhooks',
  admits: 'partner',
  malformed: 400,
} as const satisfies Partial<Operation>

/** The only 422 is a key that is reused with another body. */
export const webhookChange = {
  ...webhookOperation,
  method: 'POST',
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
} as const
export const webhookRead = { ...webhookOperation, method: 'GET' } as const

export const createWebhookSubscription = operation({
  ...webhookChange,
  id: 'createWebhookSubscription',
  path,
  summary: 'Subscribe to events',
  description:
    'Enabled at once; earlier events are not delivered. Store the signing secret: it is not returned again. ' +
    'Only the format of the URL is validated, not whether the endpoint responds. `warnings` names another ' +
    'subscription that delivers to the same URL.',
  body: WebhookSubscriptionRequest,
  answer: { status: 201, schema: WebhookSubscriptionWithSecret },
  errorStatuses: [400, 401, 403, 409, 429, 500, 503],
})

/** Several times as many as may be enabled; enabled ones come first. */
export const WEBHOOK_SUBSCRIPTIONS_LISTED_MAX = 500

export const listWebhookSubscriptions = operation({
  ...webhookRead,
  id: 'listWebhookSubscriptions',
  path,
  summary: 'List subscriptions',
  description: `Enabled ones first, then disabled ones, each newest first; ${WEBHOOK_SUBSCRIPTIONS_LISTED_MAX} at most.`,
  answer: {
    status: 200,
    schema: Type.Array(WebhookSubscription, { description: 'The partner’s subscriptions.' }),
  },
  errorStatuses: [401, 403, 429, 500, 503],
})

export const getWebhookSubscription = operation({
  ...webhookRead,
  id: 'getWebhookSubscription',
  path: `${path}/{id}`,
  summary: 'Get a subscription',
  description: 'The subscription, without its secrets.',
  params: subscriptionParams,
  answer: { status: 200, schema: WebhookSubscription },
  errorStatuses: [401, 403, 404, 429, 500, 503],
})

export const updateWebhookSubscription = operation({
  ...webhookOperation,
  id: 'updateWebhookSubscription',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update a subscription',
  destructive: 'The new URL and event types replace the present ones.',
  description:
    'Send both fields; each replaces the old value. Bearer token and signing secret stay; queued deliveries still go ' +
    'to the former URL. A disabled subscription stays disabled.',
  params: subscriptionParams,
  body: WebhookSubscriptionRequest,
  answer: { status: 200, schema: UpdatedWebhookSubscription },
  errorStatuses: [400, 401, 403, 404, 429, 500, 503],
})

export const disableWebhookSubscription = operation({
  ...webhookChange,
  id: 'disableWebhookSubscription',
  path: `${path}/{id}/disable`,
  summary: 'Disable a subscription',
  destructive: 'The endpoint receives no further events. A disabled subscription cannot be enabled again.',
  description: 'Cannot be undone. Queued deliveries are still sent; repeating it changes nothing.',
  params: subscriptionParams,
  answer: { status: 200, schema: WebhookSubscription },
})

export const rotateWebhookBearerToken = operation({
  ...webhookChange,
  id: 'rotateWebhookBearerToken',
  path: `${path}/{id}/rotate-bearer-token`,
  summary: 'Set or replace the bearer token',
  destructive: 'An endpoint that expects the present token rejects deliveries until it knows the new one.',
  description: 'Deliveries queued from now on carry it. It cannot be removed.',
  params: subscriptionParams,
  body: Type.Object(
    {
      bearerToken: Type.String({
        pattern: '^[!-~]([ -~]*[!-~])?$',
        form: 'must be printable ASCII without spaces at the beginning or end',
        // Together with the other headers of a delivery it stays below the limits of common servers.
        maxLength: 4096,
        hidden: true,
        description: 'The token without `Bearer ` in front: printable ASCII characters.',
      }),
    },
    { title: 'WebhookBearerToken', description: 'The bearer token that deliveries carry.' },
  ),
  answer: { status: 200, schema: WebhookSubscription },
})

export const rotateWebhookSigningSecret = operation({
  ...webhookChange,
  id: 'rotateWebhookSigningSecret',
  path: `${path}/{id}/rotate-signing-secret`,
  summary: 'Rotate the signing secret',
  destructive: 'An endpoint that checks the present secret rejects deliveries until it knows the new one.',
  description: 'Deliveries queued from now on are signed with it; those queued before, retries included, with the old.',
  params: subscriptionParams,
  answer: { status: 200, schema: WebhookSubscriptionWithSecret },
})

export const testWebhookSubscription = operation({
  ...webhookChange,
  id: 'testWebhookSubscription',
  path: `${path}/{id}/test`,
  summary: 'Send a test delivery',
  description:
    'Sends `webhook.test` within the request, independent of the event types. Returns 200 also if it fails; if ' +
    'possible it is retried. Returns 429 while other tests are in flight, and after 30 in a minute.',
  params: subscriptionParams,
  answer: { status: 200, schema: WebhookTestResult },
})
