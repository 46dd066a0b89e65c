/** Generates the webhooks of the OpenAPI document: the requests that partners' endpoints receive. */
import { eventExamples } from '../examples/webhook-events.ts'
import { testEventExample } from '../examples/webhooks.ts'
import type { EventFamily } from '../webhooks/event-types.ts'
import { eventSchemas, TestEvent } from '../webhooks/webhook-events.ts'
import { type Components, type JsonObject, writeSchema } from './schemas.ts'

/** Apart from the operations on webhooks: `openapi-generator` writes the class of a tag once for each of the two. */
export const RECEIVER_TAG = {
  name: 'Webhook receiver',
  description: "The requests that a partner's endpoint receives.",
} as const

const RESPONSES: JsonObject = {
  '2XX': { description: 'Received and stored. Answer within ten seconds; the body is not used.' },
  408: { description: 'Not received; retried, like network failures.' },
  429: { description: 'Not received; retried.' },
  '4XX': { description: 'Rejected; not retried.' },
  '5XX': { description: 'Not received; retried: at most six attempts, after 1, 5, 30, 120 and 360 minutes.' },
}

const HEADERS: readonly JsonObject[] = [
  header('X-SVC-Webhook-Id', { type: 'string', format: 'uuid' }, 'The delivery; the same for all its attempts.'),
  header('X-SVC-Webhook-Event', { type: 'string' }, 'The type of the event, as in the body.'),
  header(
    'X-SVC-Webhook-Subscription',
    { type: 'string', format: 'uuid' },
    'The subscription to which the delivery belongs, and whose secret signs it.',
  ),
  header('X-SVC-Webhook-Timestamp', { type: 'string', pattern: '^\\d+$' }, 'Unix time of the attempt in seconds.'),
  header(
    'X-SVC-Webhook-Signature',
    { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
    'The signature: `v1=` and the hexadecimal HMAC-SHA256 of `<timestamp>.<body>` under the signing secret. Compare it in ' +
      'constant time, before the body is parsed, and reject old timestamps.',
  ),
  header(
    'Authorization',
    { type: 'string' },
    '`Bearer` and the token of the subscription; absent while none is set.',
    false,
  ),
]

/** The name and summary of the webhook of each family. */
const FAMILIES = {
  PAYMENT_STATUS: ['paymentStatus', 'The status of a payment has changed'],
  PAYROLL_STATUS: ['payrollStatus', 'The status of a payroll has changed'],
  PAYROLL_TRANSACTION_STATUS: ['payrollTransactionStatus', 'Transactions of a payroll have changed to one status'],
  APPROVAL_STATUS: ['approvalStatus', 'An approval has ended'],
  CONSENT: ['consent', 'A consent was accepted, expires soon, or has ended'],
  ONBOARDING_STATUS: ['onboardingStatus', 'The status of an onboarding has changed'],
  EXCHANGE: ['exchange', 'An exchange has made its next step'],
  ACCOUNT_ENTRIES: ['accountEntries', 'New entries of an account were read'],
} as const satisfies Record<EventFamily, readonly [name: string, summary: string]>

/** The webhook of each family by its name, and the one of tests. */
export function writeWebhooks(components: Components): JsonObject {
  const families = (Object.keys(FAMILIES) as EventFamily[]).map((family) => {
    const [name, summary] = FAMILIES[family]
    return [
      name,
      {
        post: {
          operationId: `receive${name[0]?.toUpperCase()}${name.slice(1)}`,
          tags: [RECEIVER_TAG.name],
          summary,
          description:
            `Sent to subscriptions that select the type or ${family}. Deliveries may be repeated, and may arrive out of ` +
            'order: the id of the event identifies it, and `occurredAt` orders the events about one subject.',
          ...delivery(writeSchema(eventSchemas[family], components), eventExamples[family]),
        },
      },
    ]
  })
  return {
    ...Object.fromEntries(families),
    test: {
      post: {
        operationId: 'receiveTest',
        tags: [RECEIVER_TAG.name],
        summary: 'A test of the endpoint',
        description: 'Sent by the operation that tests a subscription, whatever types it selects.',
        ...delivery(writeSchema(TestEvent, components), testEventExample),
      },
    },
  }
}

/** Receivers authenticate a delivery by its signature, not with a token of ours. */
function delivery(schema: JsonObject, example: JsonObject): JsonObject {
  return {
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { event: { value: example } } } },
    },
    responses: RESPONSES,
  }
}

function header(name: string, schema: JsonObject, description: string, required = true): JsonObject {
  return { name, in: 'header', required, description, schema }
}
