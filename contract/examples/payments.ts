/** Examples of the operations on payments and approvals. */

import type { ExamplesById } from '../operations.ts'
import type { Payment, PaymentSummary } from '../payments/payment-response.ts'
import { approvalId, bill, callbackUrl, invoice, otherPaymentId, paymentId } from './demo-fixture.ts'

const unsigned = { status: 'Unsigned', timestamp: '2026-11-23T09:01:01.204Z' } as const
const inProgress = { status: 'InProgress', timestamp: '2026-11-23T09:04:12.880Z' } as const

const listed: PaymentSummary = {
  paymentId,
  type: 'Domestic',
  ...invoice,
  paymentStatus: inProgress,
  finalStatus: false,
  outcomeUnknown: false,
  createdAt: '2026-11-23T09:01:00.000Z',
  updatedAt: '2026-11-23T09:04:12.880Z',
}

const detail: Payment = {
  ...listed,
  expectedExecutionDate: invoice.dueDate,
  statusHistory: [unsigned, inProgress],
}

export const paymentExamples = {
  initiateDomesticPayment: [
    { summary: 'An invoice, paid with a message', body: invoice, answer: { paymentId, paymentStatus: unsigned } },
    {
      summary: 'A bill, paid with a KID, that may be a duplicate',
      body: {
        ...bill,
        to: { ...bill.to, account: { type: 'bban', bban: '86011117947' } },
        dueDate: '2026-11-28',
      },
      answer: {
        paymentId: otherPaymentId,
        paymentStatus: { status: 'Unsigned', timestamp: '2026-11-23T09:02:00.517Z' },
        warnings: [
          {
            code: 'PossibleDuplicate',
            reason: 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours',
            path: '.metadata.endToEndId',
            paymentId,
          },
          {
            code: 'DueDateMoved',
            reason: 'is not a bank day; Fjordbanken executes the payment on 2026-11-30',
            path: '.dueDate',
            expectedExecutionDate: '2026-11-30',
          },
        ],
      },
    },
  ],
  listPayments: [
    {
      summary: 'Finding an order whose response was lost',
      query: { endToEndId: 'INV-20455', fromDate: '2026-11-23', limit: 10 },
      answer: { payments: [listed], nextCursor: null },
    },
  ],
  getPayment: [{ summary: 'A payment in progress', params: { paymentId }, answer: detail }],
  getPaymentStatus: [
    { summary: 'A payment in progress', params: { paymentId }, answer: inProgress },
    {
      summary: 'A payment whose outcome at the bank is unknown',
      params: { paymentId },
      answer: { status: 'Unsigned', timestamp: inProgress.timestamp, outcomeUnknown: true },
    },
  ],
  validateRemittance: [
    {
      summary: 'A KID',
      body: { country: 'NO', type: 'ocr', value: '234 5676' },
      answer: { valid: true, checkMethod: 'Modulus10', normalized: '2345676', reason: null },
    },
    {
      summary: 'A Danish payment form by its parts',
      body: { country: 'DK', type: 'fik', cardType: '71', paymentId: '18', creditorNumber: '81234567' },
      answer: { valid: true, checkMethod: 'Modulus10', normalized: '+71<000000000000018+81234567<', reason: null },
    },
    {
      summary: 'An OCR reference with a wrong check digit',
      body: { country: 'SE', type: 'ocr', value: '1231' },
      answer: {
        valid: false,
        checkMethod: null,
        normalized: null,
        reason: 'The reference has a wrong check digit (modulus 10)',
      },
    },
  ],
  approvePayments: [
    {
      summary: 'One payment, approved by redirect',
      body: { payments: [paymentId], callbackUrl, preferredScaMethod: 'Redirect' },
      answer: {
        id: approvalId,
        status: 'STARTED',
        sca: { type: 'redirect', url: 'http://127.0.0.1:8080/sign/qT0mVbKkXzFh2o9yY3n5wLrC7aQeJ8dUsG1iPxZtB4M' },
        payments: [{ paymentId, result: 'STARTED', paymentStatus: unsigned }],
        requiredSignatures: null,
        remainingSignatures: null,
      },
    },
  ],
  getPaymentApproval: [
    {
      summary: 'The user has signed',
      params: { approvalId },
      answer: {
        id: approvalId,
        status: 'ACCEPTED',
        payments: [{ paymentId, result: 'ACCEPTED', paymentStatus: inProgress }],
        requiredSignatures: null,
        remainingSignatures: null,
      },
    },
  ],
  abandonPaymentApproval: [
    { summary: 'The user closed the tab before signing', params: { approvalId }, answer: undefined },
  ],
} satisfies Partial<ExamplesById>
