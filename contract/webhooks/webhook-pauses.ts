/** Declares the operations that pause a subscription and resume it. */
import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { subscriptionParams, WEBHOOK_PATH, WebhookSubscription, webhookOperation } from './webhook-subscriptions.ts'

const changing = { ...webhookOperation, method: 'POST', validation: ['InvalidRequest'], idempotent: true } as const

export const pauseWebhookSubscription = operation({
  ...changing,
  id: 'pauseWebhookSubscription',
  path: `${WEBHOOK_PATH}/subscription/{id}/pause`,
  summary: 'Pause a subscription',
  destructive: 'The endpoint receives no further events until the subscription is resumed.',
  description:
    'New events wait until it is resumed, for 30 days at most. Queued deliveries are still sent; repeating it changes ' +
    'nothing. Returns 404 for a disabled subscription.',
  params: Type.Object(subscriptionParams),
  answer: { status: 200, schema: WebhookSubscription },
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
})

export const resumeWebhookSubscription = operation({
  ...changing,
  id: 'resumeWebhookSubscription',
  path: `${WEBHOOK_PATH}/subscription/{id}/resume`,
  summary: 'Resume a subscription',
  description:
    'Queues every event that it selects and that has occurred since it was paused, in their order; later ones follow ' +
    'them. Repeating it changes nothing. Returns 404 for a disabled subscription.',
  params: Type.Object(subscriptionParams),
  answer: { status: 200, schema: WebhookSubscription },
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
})
