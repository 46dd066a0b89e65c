/** Examples of the operations on the request log. */

import type { ExamplesById } from '../operations.ts'
import type { LoggedRequestSummary } from '../request-log.ts'
import { paymentId } from './demo-fixture.ts'

const rejected: LoggedRequestSummary = {
  svcRequestId: '01a207a6-40d2-7b11-9c3f-7e52d08a1c64',
  receivedAt: '2026-11-23T09:04:20.818Z',
  method: 'POST',
  path: '/api/v2/payments',
  status: 422,
  milliseconds: 8,
  clientId: 'erp-backend',
  errorCodes: ['InvalidAmount'],
  warnings: [{ code: 'UnknownField', in: 'body', path: '.due_date', nearest: 'dueDate' }],
  subject: null,
  idempotencyKey: 'invoice-20455',
}
const accepted: LoggedRequestSummary = {
  ...rejected,
  svcRequestId: '01a207a6-51c8-7044-b1e8-03c9f5a27d18',
  receivedAt: '2026-11-23T09:04:25.160Z',
  status: 200,
  milliseconds: 214,
  errorCodes: [],
  warnings: [],
  subject: { type: 'payment', id: paymentId },
}

export const requestLogExamples = {
  listRequests: [
    {
      summary: 'The newest requests',
      query: { limit: 2 },
      answer: { requests: [accepted, rejected], nextCursor: rejected.svcRequestId },
    },
    {
      summary: 'What was rejected',
      query: { status: 'errors', path: '/api/v2/payments' },
      answer: { requests: [rejected], nextCursor: null },
    },
  ],
  getRequest: [
    {
      summary: 'A rejected request with its response',
      params: { svcRequestId: rejected.svcRequestId },
      answer: {
        ...rejected,
        headers: { 'content-type': 'application/json', 'psu-ip-address': '••••' },
        requestBody: '{"amount":{"amount":"1,250.00","currency":"NOK"}}',
        responseBody: '[{"code":"InvalidAmount","reason":"must be a decimal with a point","path":".amount.amount"}]',
      },
    },
  ],
} satisfies Partial<ExamplesById>
