/** Examples of the operations of the sandbox. */

import type { ExamplesById } from '../operations.ts'
import {
  approvalId,
  callbackUrl,
  cancellationId,
  consentId,
  exchangePaymentId,
  paymentId,
  payrollConsentId,
  quoteCost,
  quoteReference,
  readerBic,
  userId,
} from './demo-fixture.ts'
import { eventExamples } from './webhook-events.ts'

const SUCCESS = { outcome: 'success', callback: `${callbackUrl}?status=success` } as const

export const sandboxExamples = {
  decideSandboxApproval: [
    { summary: 'The user signs', params: { approvalId, decision: 'sign' }, body: {}, answer: SUCCESS },
    {
      summary: 'The user rejects',
      params: { approvalId, decision: 'reject' },
      body: {},
      answer: { outcome: 'rejected', callback: `${callbackUrl}?status=rejected` },
    },
  ],
  decideSandboxConsent: [
    { summary: 'The user accepts', params: { consentId, decision: 'sign' }, body: { userId }, answer: SUCCESS },
    {
      summary: 'The user accepts at the bank that offers payrolls',
      params: { consentId: payrollConsentId, decision: 'sign' },
      body: { userId },
      answer: SUCCESS,
    },
  ],
  decideSandboxCancellation: [
    {
      summary: 'The user signs the cancellation',
      params: { cancellationId, decision: 'sign' },
      body: {},
      answer: SUCCESS,
    },
  ],
  stepSandboxPayment: [
    {
      summary: 'Signed in the netbank',
      params: { paymentId, step: 'sign' },
      body: {},
      answer: { status: 'InProgress', timestamp: '2026-11-23T09:05:10.000Z' },
    },
  ],
  setSandboxPaymentStatus: [
    {
      summary: 'The bank rejects it later',
      params: { paymentId },
      body: { transactionStatus: 'RJCT', reason: 'daily-limit' },
      answer: { status: 'Rejected', timestamp: '2026-11-23T09:05:10.000Z' },
    },
  ],
  endSandboxConsent: [
    { summary: 'Revoked by its user', params: { consentId }, body: { how: 'revoked-by-user' }, answer: undefined },
  ],
  addSandboxEntry: [
    {
      summary: 'An incoming payment',
      params: { bban: '80501100017' },
      body: { amount: '2500.00', counterparty: 'Kunde AS', message: 'Faktura 7' },
      answer: { bban: '80501100017', bookedOn: '2026-11-23' },
    },
  ],
  disturbSandboxBank: [
    {
      summary: 'The next order is accepted, and its response is lost',
      params: { bic: readerBic },
      body: { effect: 'lose-next-answer' },
      answer: undefined,
    },
  ],
  healSandboxBanks: [{ summary: 'All faults are cleared', answer: undefined }],
  getSandboxClock: [
    {
      summary: 'A clock that was not moved',
      answer: { now: '2026-11-23T09:05:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 0 },
    },
  ],
  moveSandboxClock: [
    {
      summary: 'Two days ahead, past the due date',
      body: { advance: 'P2D' },
      answer: { now: '2026-11-25T09:05:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 172_800 },
    },
    {
      summary: 'To a given time',
      body: { set: '2026-11-25T12:00:00Z' },
      answer: { now: '2026-11-25T12:00:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 183_300 },
    },
    {
      summary: 'A move that continues after the answer',
      body: { advance: 'P2D' },
      answer: {
        now: '2026-11-23T10:20:00.000Z',
        real: '2026-11-23T09:05:05.000Z',
        offsetSeconds: 4495,
        movingTo: '2026-11-25T09:05:00.000Z',
      },
    },
    {
      summary: 'Business time equals wall time again',
      body: { reset: true },
      answer: { now: '2026-11-23T09:05:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 0 },
    },
  ],
  disturbSandboxExchange: [
    {
      summary: 'The next inbound payment arrives two hours late',
      body: { effect: 'funding-late', seconds: 7_200 },
      answer: undefined,
    },
  ],
  stepSandboxPayout: [
    {
      summary: 'The receiver’s bank returns it, less its charges',
      params: { paymentId: exchangePaymentId, step: 'return' },
      body: { kept: '15.00' },
      answer: { providerStatus: 'failed' },
    },
  ],
  addSandboxArrival: [
    {
      summary: 'The company pays from its netbank',
      body: {
        iban: 'NO3380590100009',
        amount: quoteCost.amount,
        reference: quoteReference,
        senderName: 'Nordlys Handel AS',
      },
      answer: { arrived: [{ ...quoteCost, status: 'completed' }] },
    },
  ],
  openSandboxInbox: [
    {
      summary: 'The inbox of the partner',
      answer: {
        url: 'http://127.0.0.1:8086/inbox/01a207a5-2c40-7d1e-8a55-6f0c3b9e4d21/4Yb0Jv1nN5sTq7Rk2LxWcA8dEfGh3MzPuQoXyZ6iB9U',
      },
    },
  ],
  listSandboxInboxDeliveries: [
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
  ],
} satisfies Partial<ExamplesById>
