/** Examples of the operations on webhooks. */

import type { ExamplesById } from '../operations.ts'
import type { WebhookDelivery } from '../webhooks/webhook-deliveries.ts'
import type { TestEvent } from '../webhooks/webhook-events.ts'
import type { WebhookSubscription, WebhookSubscriptionRequest } from '../webhooks/webhook-subscriptions.ts'
import { eventExamples } from './webhook-events.ts'

const id = '01a207a5-2c40-7d1e-8a55-6f0c3b9e4d21'
const deliveryId = '01a207a6-51c8-7a03-b6f2-90d4ce17a835'
const nextDeliveryId = '01a207b9-0a10-7c42-9d31-5b7e2f8c6410'
const signingSecret = 'mJ2fTq8Zc0RrYw4uXkLh6VbN1sPd3GeA7oQiUyC5tEw'

const subscription: WebhookSubscription = {
  id,
  targetUrl: 'https://erp.example/webhooks/payments',
  enabled: true,
  paused: false,
  createdAt: '2026-11-23T09:03:10.400Z',
  updatedAt: '2026-11-23T09:03:10.400Z',
  eventTypes: ['PAYMENT_STATUS'],
  hasBearerToken: false,
}
const { targetUrl, eventTypes } = subscription
const ends: WebhookSubscriptionRequest = {
  targetUrl: 'https://erp.example/webhooks/ends',
  eventTypes: ['PAYMENT_STATUS_COMPLETED', 'PAYMENT_STATUS_REJECTED', 'PAYMENT_STATUS_CANCELLED'],
}

export const testEventExample: TestEvent = {
  id: '01a207a5-9b10-7e35-a6c2-08d1f47b2a96',
  type: 'webhook.test',
  createdAt: '2026-11-23T09:03:40.592Z',
}

const event = eventExamples.PAYMENT_STATUS
const delivered: WebhookDelivery = {
  id: deliveryId,
  eventId: event.id,
  eventType: event.type,
  status: 'Delivered',
  createdAt: event.occurredAt,
  attemptsMade: 1,
  nextAttemptAt: null,
  lastError: null,
  targetUrl,
  body: JSON.stringify(event),
  attempts: [{ at: '2026-11-23T09:04:25.511Z', durationMilliseconds: 38, statusCode: 204, answer: '', error: null }],
}
const queued: WebhookDelivery = {
  ...delivered,
  id: nextDeliveryId,
  status: 'Queued',
  createdAt: '2026-11-23T09:24:50.000Z',
  attemptsMade: 0,
  nextAttemptAt: '2026-11-23T09:24:50.000Z',
  attempts: [],
}
const { targetUrl: _targetUrl, body: _body, attempts: _attempts, ...listed } = delivered

export const webhookExamples = {
  createWebhookSubscription: [
    {
      summary: 'Every change of status',
      body: { targetUrl, eventTypes },
      answer: { ...subscription, signingSecret },
    },
  ],
  listWebhookSubscriptions: [{ summary: 'One subscription', answer: [subscription] }],
  getWebhookSubscription: [{ summary: 'An enabled subscription', params: { id }, answer: subscription }],
  updateWebhookSubscription: [
    {
      summary: 'Final statuses only, to another URL',
      params: { id },
      body: ends,
      answer: { ...subscription, ...ends, updatedAt: '2026-11-24T08:00:00.000Z' },
    },
  ],
  disableWebhookSubscription: [
    {
      summary: 'No further events',
      params: { id },
      answer: { ...subscription, enabled: false, updatedAt: '2026-11-24T08:00:00.000Z' },
    },
  ],
  pauseWebhookSubscription: [
    {
      summary: 'While the endpoint is maintained',
      params: { id },
      answer: { ...subscription, paused: true, updatedAt: '2026-11-24T08:00:00.000Z' },
    },
  ],
  resumeWebhookSubscription: [
    {
      summary: 'The events of the meantime are queued',
      params: { id },
      answer: { ...subscription, updatedAt: '2026-11-24T09:00:00.000Z' },
    },
  ],
  rotateWebhookBearerToken: [
    {
      summary: 'A token for the endpoint',
      params: { id },
      body: { bearerToken: 'k7Lq2Vx9Tn4Bz1Rm' },
      answer: { ...subscription, hasBearerToken: true, updatedAt: '2026-11-24T08:00:00.000Z' },
    },
  ],
  rotateWebhookSigningSecret: [
    {
      summary: 'A new secret',
      params: { id },
      answer: {
        ...subscription,
        updatedAt: '2026-11-24T08:00:00.000Z',
        signingSecret: 'hW9pKz3Nf7TgQx1Lr5YbVc8Md2Sj6Ua0EoRiPt4Gk_M',
      },
    },
  ],
  testWebhookSubscription: [
    { summary: 'The endpoint answered 2xx', params: { id }, answer: { deliveryId, succeeded: true, error: null } },
    {
      summary: 'The delivery failed',
      params: { id },
      answer: { deliveryId, succeeded: false, error: 'The endpoint answered 503' },
    },
  ],
  listWebhookDeliveries: [
    {
      summary: 'The newest deliveries',
      params: { id },
      query: { status: 'Delivered', limit: 100 },
      answer: { deliveries: [listed], nextCursor: null },
    },
  ],
  getWebhookDelivery: [{ summary: 'Delivered at the first attempt', params: { id, deliveryId }, answer: delivered }],
  retryWebhookDelivery: [{ summary: 'The same event again', params: { id, deliveryId }, answer: queued }],
  listWebhookEvents: [
    {
      summary: 'From the beginning',
      query: { limit: 100 },
      answer: { events: [event], nextAfter: '1', missed: false },
    },
  ],
  replayWebhookEvents: [
    {
      summary: 'Everything of a day and later',
      params: { id },
      body: { since: '2026-11-23' },
      answer: { events: 12, deliveries: 12 },
    },
    {
      summary: 'The hours in which an endpoint was down',
      params: { id },
      body: { since: '2026-11-23T07:00:00Z', until: '2026-11-23T09:30:00Z' },
      answer: { events: 3, deliveries: 3 },
    },
  ],
} satisfies Partial<ExamplesById>
