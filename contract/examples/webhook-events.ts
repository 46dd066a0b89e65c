/** An example of the events of each family. */
import type { EventFamily } from '../webhooks/event-types.ts'
import type { EventBodies } from '../webhooks/webhook-events.ts'
import { approvalId, consentId, paymentId } from './demo-fixture.ts'

const onboardingId = '01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50'
const payrollId = '01a207a7-1d40-7c3e-8b95-2f6a0d9e4c17'

const common = { version: '1', occurredAt: '2026-11-23T09:04:25.480Z' } as const

export const eventExamples: { readonly [Family in EventFamily]: EventBodies[Family] } = {
  PAYMENT_STATUS: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e53',
    type: 'PAYMENT_STATUS_IN_PROGRESS',
    ...common,
    data: { paymentId, previousStatus: 'Unsigned', status: 'InProgress', statusReason: null, statusReasonText: null },
  },
  PAYROLL_STATUS: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e54',
    type: 'PAYROLL_STATUS_COMPLETED',
    ...common,
    data: { payrollId, previousStatus: 'InProgress', status: 'Completed' },
  },
  PAYROLL_TRANSACTION_STATUS: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e55',
    type: 'PAYROLL_TRANSACTION_STATUS_COMPLETED',
    ...common,
    data: {
      payrollId,
      status: 'Completed',
      transactions: [
        { position: 0, previousStatus: 'InProgress', statusReason: null },
        { position: 1, previousStatus: 'InProgress', statusReason: null },
      ],
    },
  },
  APPROVAL_STATUS: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e56',
    type: 'APPROVAL_STATUS_ACCEPTED',
    ...common,
    data: {
      approvalId,
      subject: 'payments',
      previousStatus: 'STARTED',
      status: 'ACCEPTED',
    },
  },
  CONSENT: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e57',
    type: 'CONSENT_EXPIRING',
    ...common,
    data: {
      consentId,
      previousStatus: null,
      status: 'ACCEPTED',
      statusReason: null,
      validUntil: '2026-11-30T09:04:25.480Z',
    },
  },
  ONBOARDING_STATUS: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e58',
    type: 'ONBOARDING_STATUS_ACCEPTED',
    ...common,
    data: { onboardingId, previousStatus: 'AwaitingCustomerAction', status: 'Accepted', statusReason: null },
  },
  EXCHANGE: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e59',
    type: 'EXCHANGE_FUNDED',
    ...common,
    data: { paymentId, referenceCode: 'HVN4T7Q0ZK2M', step: 'Funded' },
  },
  ACCOUNT_ENTRIES: {
    id: '01a207a6-51c8-7a03-8c1d-24f09b6a7e5a',
    type: 'ACCOUNT_ENTRIES_BOOKED',
    ...common,
    data: {
      accountStableId: 'Yb3k0v9QmW5xTz1cHs7dLg',
      consentId,
      newEntries: 3,
      fromDate: '2026-11-20',
      toDate: '2026-11-23',
    },
  },
}
