/** Generates the webhooks of the OpenAPI document: the requests that partners' endpoints receive. */
import { paymentStatusEventExample, testEventExample } from '../examples/webhooks.ts'
import { PaymentStatusEvent, TestEvent } from '../webhooks/webhook-events.ts'
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

/** The headers of a delivery. */
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

/** Each kind of event by its name. */
export function writeWebhooks(components: Components): JsonObject {
  return {
    paymentStatus: {
      post: {
        operationId: 'receivePaymentStatus',
        tags: [RECEIVER_TAG.name],
        summary: 'The status of a payment has changed',
        description:
          'Sent to subscriptions that select the type. Deliveries may be repeated, and may arrive out of order: the id of the ' +
          'event identifies it, and `occurredAt` orders the events of a payment.',
        ...delivery(writeSchema(PaymentStatusEvent, components), paymentStatusEventExample),
      },
    },
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
