/** Examples of the sandbox operations on the webhook inbox. */
import type { Examples } from '../operation-example.ts'
import type { listSandboxInboxDeliveries, openSandboxInbox } from '../sandbox/sandbox-inbox.ts'
import { eventExamples } from './webhook-events.ts'

export const openSandboxInboxExamples: Examples<typeof openSandboxInbox> = [
  {
    summary: 'The inbox of the partner',
    answer: {
      url: 'http://127.0.0.1:8086/inbox/01a207a5-2c40-7d1e-8a55-6f0c3b9e4d21/4Yb0Jv1nN5sTq7Rk2LxWcA8dEfGh3MzPuQoXyZ6iB9U',
    },
  },
]

export const listSandboxInboxDeliveriesExamples: Examples<typeof listSandboxInboxDeliveries> = [
  {
    summary: 'What was received lately',
    query: { receivedSince: '2026-11-23T09:00:00Z' },
    answer: [
      {
        id: '01a207a6-5f20-7c0a-8e11-4a7b90d2c835',
        receivedAt: '2026-11-23T09:04:26.012Z',
        eventType: eventExamples.PAYMENT_STATUS.type,
        headers: {
          'content-type': 'application/json',
          'x-svc-webhook-event': eventExamples.PAYMENT_STATUS.type,
          'x-svc-webhook-id': '01a207a6-51c8-7a03-b6f2-90d4ce17a835',
          'x-svc-webhook-timestamp': '1795424666',
          'x-svc-webhook-signature': 'v1=0d0b8f0fd0b6c5d4a0a4c3b6b0b7c9f3d2a18e5c4b7f6e1d0c9b8a7f6e5d4c3b',
        },
        body: JSON.stringify(eventExamples.PAYMENT_STATUS),
        signature: 'valid',
      },
    ],
  },
]
