/** Checks test deliveries, retries, and credentials of webhooks. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { require, requireNone, valueAt } from '../expectations.ts'
import { requireSandbox, uniqueName } from '../subjects/payments.ts'
import { pollUntil } from '../subjects/subject.ts'
import { type ReceivedDelivery, type Subscription, signatureProblems, subscribe } from '../webhooks/subscription.ts'

const SERVER_ERROR = 500
const REDIRECT = 302
const BAD_REQUEST = 400

/** The deliveries of a test event, once there is one more than before. */
async function testDelivery(
  context: CheckContext,
  { id, deliveries }: Subscription,
): Promise<ReceivedDelivery | undefined> {
  const before = (await deliveries()).length
  await context.succeed('testWebhookSubscription', { params: { id } })
  return (await pollUntil(context, deliveries, (found) => found.length > before)).at(-1)
}

export const WEBHOOK_RETRY_CHECKS: readonly Check[] = documentedIn('Guide: webhooks', [
  {
    id: 'webhooks-test',
    title: 'A test event can be sent',
    rule: 'Its body has id, type webhook.test and createdAt, and no data; the response names the delivery and its success.',
    reference: 'API reference: testWebhookSubscription',
    run: async (context) => {
      const subscription = await subscribe(context)
      const delivery = await testDelivery(context, subscription)
      const body = delivery?.event
      requireNone([
        valueAt(body, '.type') === 'webhook.test' || `The type is ${String(valueAt(body, '.type'))}`,
        typeof valueAt(body, '.createdAt') === 'string' || 'createdAt is missing',
        valueAt(body, '.data') === undefined || 'The body has data',
        ...(delivery === undefined ? [] : signatureProblems(subscription.signingSecret, delivery)),
      ])
    },
  },
  {
    id: 'webhooks-credentials',
    title: 'Credentials of a subscription can be rotated',
    rule: 'A bearer token is sent in Authorization and never returned; a new signing secret differs, and signs the next delivery.',
    reference: 'API reference: rotateWebhookBearerToken, rotateWebhookSigningSecret',
    run: async (context) => {
      const subscription = await subscribe(context)
      const params = { id: subscription.id }
      const bearerToken = uniqueName()
      const answer = await context.call('rotateWebhookBearerToken', { params, body: { bearerToken } })
      const { signingSecret } = await context.succeed('rotateWebhookSigningSecret', { params })
      const delivery = await testDelivery(context, subscription)
      const authorization = delivery?.headers['authorization'] ?? 'missing'
      requireNone([
        !answer.text.includes(bearerToken) || 'The response has the bearer token',
        valueAt(answer.body, '.hasBearerToken') === true || 'hasBearerToken is not true',
        // The inbox of a sandbox masks it.
        authorization === `Bearer ${bearerToken}` || authorization.includes('*') || `Authorization is ${authorization}`,
        signingSecret !== subscription.signingSecret || 'The new signing secret is the former one',
        ...(delivery === undefined ? ['No delivery has arrived'] : signatureProblems(signingSecret, delivery)),
      ])
    },
  },
  {
    id: 'webhooks-retry',
    title: 'A failed delivery is repeated',
    rule: 'After a 500 the same delivery id and body come again after about a minute, with a fresh timestamp and signature.',
    run: async (context) => {
      requireSandbox(context)
      const subscription = await subscribe(context)
      subscription.respond(SERVER_ERROR)
      const first = await testDelivery(context, subscription)
      subscription.respond(200)
      const params = { id: subscription.id, deliveryId: first?.headers['x-svc-webhook-id'] ?? '' }
      const { status, nextAttemptAt } = await context.succeed('getWebhookDelivery', { params })
      require(status === 'Queued' && nextAttemptAt !== null, `After the 500 the delivery is ${status}`)
      await context.succeed('moveSandboxClock', { body: { advance: 'PT2M' } })
      // Payments may have changed meanwhile.
      const testsOf = async () =>
        (await subscription.deliveries()).filter(({ headers }) => headers['x-svc-webhook-event'] === 'webhook.test')
      const again = (await pollUntil(context, testsOf, (found) => found.length > 1)).at(1)
      require(again !== undefined, 'The delivery was not repeated two minutes later')
      requireNone([
        again?.headers['x-svc-webhook-id'] === params.deliveryId || 'The repetition has another X-SVC-Webhook-Id',
        again?.body === first?.body || 'The repetition has another body',
        ...(again === undefined ? [] : signatureProblems(subscription.signingSecret, again)),
      ])
    },
  },
  {
    id: 'webhooks-not-retried',
    title: 'A rejected delivery is not repeated, and redirects are not followed',
    rule: 'After a 400 or a redirect the delivery is Failed without a next attempt.',
    run: async (context) => {
      const subscription = await subscribe(context)
      for (const status of [BAD_REQUEST, REDIRECT]) {
        subscription.respond(status, status === REDIRECT ? { location: subscription.targetUrl } : {})
        const before = (await subscription.deliveries()).length
        const { deliveryId } = await context.succeed('testWebhookSubscription', { params: { id: subscription.id } })
        const params = { id: subscription.id, deliveryId }
        const delivery = await context.succeed('getWebhookDelivery', { params })
        const requests = (await subscription.deliveries()).length - before
        require(delivery.status === 'Failed', `After ${status} the delivery is ${delivery.status}`)
        require(delivery.nextAttemptAt ===
          null, `After ${status} there is a next attempt at ${String(delivery.nextAttemptAt)}`)
        require(requests === 1, `After ${status} there were ${requests} requests`)
      }
    },
  },
])
