/** Mutations of webhooks: signatures, order, selection, repetitions, and what is shown of a subscription. */
import { createHmac, randomUUID } from 'node:crypto'
import type { Mutation, Sent } from './mutating-proxy.ts'
import { changeBody, changeRequest } from './mutation-steps.ts'

const SUBSCRIPTIONS = /^\/api\/webhooks\/subscription$/

const secrets = new Map<string, unknown>()

/** The delivery with a signature over some bytes in some encoding. */
function signed(delivery: Sent, secret: string, body: string, encoding: 'hex' | 'base64'): Sent {
  const text = `${delivery.headers['x-svc-webhook-timestamp'] ?? ''}.${body}`
  const signature = `v1=${createHmac('sha256', secret).update(text).digest(encoding)}`
  return { ...delivery, headers: { ...delivery.headers, 'x-svc-webhook-signature': signature } }
}

export const WEBHOOK_MUTATIONS: readonly Mutation[] = [
  {
    id: 'signed-before-formatting',
    fault: 'Deliveries are signed before the body is formatted',
    foundBy: ['webhooks-signature', 'webhooks-test'],
    delivery: (delivery, secret) => [
      signed(delivery, secret, JSON.stringify(JSON.parse(delivery.body), null, 2), 'hex'),
    ],
  },
  {
    id: 'signature-in-base64',
    fault: 'The signature is in base64',
    foundBy: ['webhooks-signature', 'webhooks-test'],
    delivery: (delivery, secret) => [signed(delivery, secret, delivery.body, 'base64')],
  },
  {
    id: 'delivered-twice',
    fault: 'Every delivery is made twice',
    foundBy: ['webhooks-order'],
    delivery: (delivery) => [delivery, delivery],
  },
  {
    id: 'out-of-order',
    fault: 'The first event of a payment arrives after the second one',
    foundBy: ['webhooks-order'],
    delivery: (delivery, secret, delayed) => {
      const former = delayed.get(secret)
      delayed.delete(secret)
      if (former === undefined && delivery.headers['x-svc-webhook-event'] === 'PAYMENT_STATUS_IN_PROGRESS') {
        delayed.set(secret, delivery)
        return []
      }
      return former === undefined ? [delivery] : [delivery, former]
    },
  },
  {
    id: 'new-id-for-retry',
    fault: 'A repeated delivery has another delivery id',
    foundBy: ['webhooks-retry'],
    delivery: (delivery, _secret, seen) => {
      const id = delivery.headers['x-svc-webhook-id'] ?? ''
      const isRetry = seen.has(id)
      seen.set(id, delivery)
      return [isRetry ? { ...delivery, headers: { ...delivery.headers, 'x-svc-webhook-id': randomUUID() } } : delivery]
    },
  },
  {
    id: 'everything-delivered',
    fault: 'A subscription gets every event, whatever it selects',
    foundBy: ['webhooks-selection'],
    request: changeRequest('POST', SUBSCRIPTIONS, (body) => {
      const isSelection = [body['eventTypes']].flat().includes('PAYMENT_STATUS_REJECTED')
      body['eventTypes'] = isSelection ? ['PAYMENT_STATUS'] : body['eventTypes']
    }),
  },
  {
    id: 'family-as-type',
    fault: 'The delivered type is that of the subscription',
    foundBy: ['webhooks-body', 'webhooks-order'],
    delivery: (delivery, secret) => {
      const body = delivery.body.replace(/"PAYMENT_STATUS_\w+"/, '"PAYMENT_STATUS"')
      return [signed({ ...delivery, body }, secret, body, 'hex')]
    },
  },
  {
    id: 'secret-shown',
    fault: 'The signing secret is shown in every response',
    foundBy: ['webhooks-subscription'],
    response: (received, sent, forward) => {
      changeBody('POST', SUBSCRIPTIONS, ({ id, signingSecret }) => void secrets.set(String(id), signingSecret))(
        received,
        sent,
        forward,
      )
      changeBody('GET', /^\/api\/webhooks\/subscription\/[^/]+$/, (body) => {
        body['signingSecret'] = secrets.get(String(body['id']))
      })(received, sent, forward)
    },
  },
  {
    id: 'bearer-omitted',
    fault: 'The bearer token of a subscription is not sent',
    foundBy: ['webhooks-credentials'],
    delivery: ({ headers: { authorization: _omitted, ...headers }, ...delivery }) => [{ ...delivery, headers }],
  },
]
