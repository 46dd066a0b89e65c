/** Operations of a webhook subscription that pause its deliveries, and deliver past events again. */
import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { dayOrInstant } from '../shapes.ts'
import { subscriptionParams, WEBHOOK_PATH, WebhookSubscription, webhookChange } from './webhook-subscriptions.ts'

export const pauseWebhookSubscription = operation({
  ...webhookChange,
  id: 'pauseWebhookSubscription',
  path: `${WEBHOOK_PATH}/subscription/{id}/pause`,
  summary: 'Pause a subscription',
  destructive: 'The endpoint receives no further events until the subscription is resumed.',
  description:
    'New events wait until it is resumed, for 30 days at most. Queued deliveries are still sent; repeating it changes ' +
    'nothing. Returns 404 for a disabled subscription.',
  params: subscriptionParams,
  answer: { status: 200, schema: WebhookSubscription },
})

export const resumeWebhookSubscription = operation({
  ...webhookChange,
  id: 'resumeWebhookSubscription',
  path: `${WEBHOOK_PATH}/subscription/{id}/resume`,
  summary: 'Resume a subscription',
  description:
    'Queues every event that it selects and that has occurred since it was paused, in their order; later ones follow ' +
    'them. Repeating it changes nothing. Returns 404 for a disabled subscription.',
  params: subscriptionParams,
  answer: { status: 200, schema: WebhookSubscription },
})

export const replayWebhookEvents = operation({
  ...webhookChange,
  id: 'replayWebhookEvents',
  path: `${WEBHOOK_PATH}/subscription/{id}/replay`,
  summary: 'Deliver past events again',
  description:
    'Queues a new delivery of every event of a time window that the subscription selects now, also of events from before ' +
    'it was created; events are retained for 30 days. Receivers see each event under its own id. Returns 404 for a ' +
    'disabled subscription.',
  params: subscriptionParams,
  body: Type.Object(
    {
      since: dayOrInstant('Events that occurred at this time or later, in business time; a day begins in UTC.'),
      until: Type.Optional(
        dayOrInstant('Events that occurred before this time; a day is included. Everything up to now when absent.'),
      ),
    },
    { title: 'WebhookReplayRequest', description: 'Which events are delivered again.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        events: Type.Integer({ minimum: 0, description: 'The number of events of the window, of all types.' }),
        deliveries: Type.Integer({ minimum: 0, description: 'The number of deliveries that were queued.' }),
      },
      { title: 'WebhookReplayResult', description: 'What was queued.' },
    ),
  },
})
