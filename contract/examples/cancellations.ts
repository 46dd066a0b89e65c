/** Examples of the operations on cancellations. */

import type { ExamplesById } from '../operations.ts'
import { callbackUrl, cancellationId, otherPaymentId, paymentId } from './demo-fixture.ts'

const inProgress = { status: 'InProgress', timestamp: '2026-11-23T09:04:12.880Z' } as const
const cancelled = { status: 'Cancelled', timestamp: '2026-11-23T09:12:40.016Z' } as const

export const cancellationExamples = {
  cancelPayment: [
    {
      summary: 'A signed payment, at a bank where the user must sign the cancellation',
      body: { paymentId, callbackUrl, preferredScaMethod: 'Redirect' },
      answer: {
        id: cancellationId,
        sca: { type: 'redirect', url: 'http://127.0.0.1:8080/sign/Vb2oQ7yTn0sKc5LhXw8eJmR4fUzGa1DpIx6BtC3Yk9E' },
        cancellationRequestStatus: 'AUTHORIZATION_REQUIRED',
        currentPaymentStatus: inProgress,
        reason: null,
      },
    },
    {
      summary: 'An unsigned payment',
      body: { paymentId: otherPaymentId, callbackUrl },
      answer: {
        id: '01a207a5-4b21-7d0c-9a56-7c80e1f3b2d9',
        cancellationRequestStatus: 'ACCEPTED',
        currentPaymentStatus: cancelled,
        reason: null,
      },
    },
  ],
  getPaymentCancellation: [
    {
      summary: 'The user has signed the cancellation',
      params: { id: cancellationId },
      answer: {
        id: cancellationId,
        cancellationRequestStatus: 'ACCEPTED',
        currentPaymentStatus: cancelled,
        reason: null,
      },
    },
  ],
  abandonPaymentCancellation: [
    { summary: 'The user closed the tab before signing', params: { id: cancellationId }, answer: undefined },
  ],
} satisfies Partial<ExamplesById>
