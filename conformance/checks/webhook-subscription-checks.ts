/** Checks webhook subscriptions: creation, what is shown of them, invalid ones, disabling, and the log of deliveries. */
import { type Check, type CheckContext, NotApplicable } from '../check.ts'
import {
  problemsOfEach,
  require,
  requireError,
  requireNone,
  requireStatus,
  statusProblems,
  valueAt,
} from '../expectations.ts'
import { uniqueName } from '../subjects/payments.ts'
import { subscribe } from '../webhooks/subscription.ts'

const INVALID: readonly (readonly [fault: string, body: object])[] = [
  ['another scheme', { targetUrl: 'ftp://erp.example/hooks', eventTypes: ['PAYMENT_STATUS'] }],
  ['credentials in the URL', { targetUrl: 'https://user:pass@erp.example/hooks', eventTypes: ['PAYMENT_STATUS'] }],
  ['no URL', { targetUrl: 'erp', eventTypes: ['PAYMENT_STATUS'] }],
  ['no event type', { targetUrl: 'https://erp.example/hooks', eventTypes: [] }],
  ['an unknown event type', { targetUrl: 'https://erp.example/hooks', eventTypes: ['PAYMENT_PAID'] }],
  ['an event type in small letters', { targetUrl: 'https://erp.example/hooks', eventTypes: ['payment_status'] }],
]

/** A subscription to a URL at which nothing listens. */
async function created(context: CheckContext) {
  const body = { targetUrl: `https://erp.example/${uniqueName()}`, eventTypes: ['PAYMENT_STATUS'] }
  const answer = await context.call('createWebhookSubscription', { body })
  if (answer.status === 403) {
    throw new NotApplicable('The partner may not create subscriptions')
  }
  requireStatus(answer, 201)
  const id = String(valueAt(answer.body, '.id'))
  context.cleanUp(() => context.call('disableWebhookSubscription', { params: { id } }))
  return { answer, id, body, secret: String(valueAt(answer.body, '.signingSecret')) }
}

export const WEBHOOK_SUBSCRIPTION_CHECKS: readonly Check[] = [
  {
    id: 'webhooks-subscription',
    title: 'A subscription is created, and its secret shown once',
    rule: 'The response is 201 with id and signingSecret; neither GET nor the list has the secret.',
    reference: 'API reference: createWebhookSubscription',
    run: async (context) => {
      const { answer, id, body, secret } = await created(context)
      const one = await context.call('getWebhookSubscription', { params: { id } })
      const list = await context.call('listWebhookSubscriptions')
      requireNone([
        ...statusProblems(one, 200),
        (secret.length > 0 && secret !== 'undefined') || 'signingSecret is missing',
        valueAt(answer.body, '.enabled') === true || 'It is not enabled',
        valueAt(one.body, '.targetUrl') === body.targetUrl || `targetUrl is ${String(valueAt(one.body, '.targetUrl'))}`,
        ...(one.text.includes(secret) || list.text.includes(secret) ? ['The secret is shown again'] : []),
        list.text.includes(id) || 'The list lacks the subscription',
      ])
    },
  },
  {
    id: 'webhooks-invalid-subscription',
    title: 'Invalid subscriptions are rejected',
    rule: 'An invalid URL or event type is 400 with a message.',
    reference: 'API reference: createWebhookSubscription',
    run: async (context) => {
      const problems = await problemsOfEach(INVALID, async ([fault, body]) => {
        const answer = await context.call('createWebhookSubscription', { body })
        return statusProblems(answer, 400).map((problem) => `${fault}: ${problem}`)
      })
      requireNone(problems)
    },
  },
  {
    id: 'webhooks-blank-token',
    title: 'A blank bearer token is rejected',
    rule: 'A token that is blank or begins with Bearer is 400.',
    reference: 'API reference: rotateWebhookBearerToken',
    run: async (context) => {
      const { id } = await created(context)
      const problems = await problemsOfEach(['', ' ', 'Bearer abc', 'a\nb'], async (bearerToken) => {
        const answer = await context.call('rotateWebhookBearerToken', { params: { id }, body: { bearerToken } })
        return statusProblems(answer, 400).map((problem) => `${JSON.stringify(bearerToken)}: ${problem}`)
      })
      requireNone(problems)
    },
  },
  {
    id: 'webhooks-updated',
    title: 'A subscription is updated as a whole',
    rule: 'targetUrl and eventTypes are replaced; the secret and the bearer token stay as they are.',
    reference: 'API reference: updateWebhookSubscription',
    run: async (context) => {
      const { id } = await created(context)
      const body = { targetUrl: `https://erp.example/${uniqueName()}`, eventTypes: ['PAYMENT_STATUS_REJECTED'] }
      await context.succeed('updateWebhookSubscription', { params: { id }, body })
      const { targetUrl, eventTypes } = await context.succeed('getWebhookSubscription', { params: { id } })
      require(targetUrl === body.targetUrl, `targetUrl is ${targetUrl}`)
      require(eventTypes.join() === body.eventTypes.join(), `eventTypes are ${eventTypes.join(', ')}`)
      const partial = await context.call('updateWebhookSubscription', { params: { id }, body: { targetUrl } })
      requireStatus(partial, 400)
    },
  },
  {
    id: 'webhooks-paused',
    title: 'A subscription can be paused and resumed',
    rule: 'paused becomes true, then false; a disabled subscription is 404.',
    reference: 'API reference: pauseWebhookSubscription, resumeWebhookSubscription',
    run: async (context) => {
      const { id } = await created(context)
      const params = { id }
      const { paused } = await context.succeed('pauseWebhookSubscription', { params })
      const resumed = await context.succeed('resumeWebhookSubscription', { params })
      require(paused && !resumed.paused, `paused is ${paused}, then ${resumed.paused}`)
      await context.succeed('disableWebhookSubscription', { params })
      const answer = await context.call('pauseWebhookSubscription', { params })
      requireError(answer, 404, 'NotFound')
    },
  },
  {
    id: 'webhooks-disabled',
    title: 'A subscription can be disabled',
    rule: 'enabled becomes false, repeating it changes nothing, and a test event is 404.',
    reference: 'API reference: disableWebhookSubscription',
    run: async (context) => {
      const { id } = await created(context)
      const params = { id }
      const [first, second] = [
        await context.succeed('disableWebhookSubscription', { params }),
        await context.succeed('disableWebhookSubscription', { params }),
      ]
      require(!(first.enabled || second.enabled), 'enabled is true')
      const test = await context.call('testWebhookSubscription', { params })
      requireError(test, 404, 'NotFound')
    },
  },
  {
    id: 'webhooks-deliveries-listed',
    title: 'Deliveries are logged and can be repeated',
    rule: 'The log has the delivery with its attempts; a retry is another delivery of the same event.',
    reference: 'API reference: listWebhookDeliveries, retryWebhookDelivery',
    run: async (context) => {
      const { id } = await subscribe(context)
      const { deliveryId } = await context.succeed('testWebhookSubscription', { params: { id } })
      const { deliveries } = await context.succeed('listWebhookDeliveries', { params: { id } })
      const one = await context.succeed('getWebhookDelivery', { params: { id, deliveryId } })
      require(deliveries.some((delivery) => delivery.id === deliveryId), 'The log lacks the delivery')
      require(one.status === 'Delivered' &&
        one.attempts.length === 1, `It is ${one.status} after ${one.attempts.length} attempts`)
      const none = await context.succeed('listWebhookDeliveries', { params: { id }, query: { status: 'Failed' } })
      require(none.deliveries.length === 0, 'The filter by status is ignored')
      const retried = await context.succeed('retryWebhookDelivery', { params: { id, deliveryId } })
      require(retried.id !== deliveryId &&
        retried.eventId === one.eventId, 'The retry is not another delivery of the event')
    },
  },
]
