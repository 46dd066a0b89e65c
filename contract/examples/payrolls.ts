/** Examples of the operations on payrolls. */

import type { BodyOf } from '../operation.ts'
import type { ExamplesById } from '../operations.ts'
import type { initiatePayroll } from '../payrolls/payroll-operations.ts'
import type { PayrollTransaction } from '../payrolls/payroll-response.ts'
import { callbackUrl, companyName, organizationNumber, payrollBban } from './demo-fixture.ts'

const payrollId = '01a207a7-1d40-7c3e-8b95-2f6a0d9e4c17'
const otherPayrollId = '01a207a7-2e58-7f04-9ac1-70b3d5e8f962'
const bulkId = '01a207a7-3f6c-7a29-b0d7-c4e1958a2f36'
const bulkPayrollIds = ['01a207a7-41a0-7d52-9e6b-8f03c7a2d419', '01a207a7-42b4-7c18-a5d0-e69b13f84c7a'] as const
const approvalId = '01a207a7-4a90-7e51-8c3d-95f7b2046ad8'
const cancellationId = '01a207a7-5bb4-7d86-a4f2-08c6e3917b5d'

/** Two salaries, one of them to an account that accepts a KID only. */
const salaries: BodyOf<typeof initiatePayroll> = {
  from: { account: { bban: payrollBban }, name: companyName, organizationNumber },
  transactions: [
    {
      metadata: { endToEndId: 'SAL-2026-11-001' },
      name: 'Ingrid Solbakken',
      account: { bban: '80501200011' },
      amount: { amount: '38412.50', currency: 'NOK' },
      remittanceInformation: { type: 'message', value: 'Lønn november' },
    },
    {
      metadata: { endToEndId: 'SAL-2026-11-002' },
      name: 'Breidablikk Pensjonskasse',
      account: { bban: '80503000036' },
      amount: { amount: '2311.00', currency: 'NOK' },
      remittanceInformation: { type: 'ocr', value: '2345676' },
    },
  ],
  dueDate: '2026-11-25',
  purposeCode: 'SALA',
}

const otherSalaries: BodyOf<typeof initiatePayroll> = {
  ...salaries,
  transactions: [
    {
      metadata: { endToEndId: 'SAL-2026-11-101' },
      name: 'Sunniva Ekeland',
      account: { bban: '80501200011' },
      amount: { amount: '41280.00', currency: 'NOK' },
      remittanceInformation: { type: 'message', value: 'Lønn november' },
    },
  ],
}

const unsigned: readonly [PayrollTransaction, PayrollTransaction] = [
  { endToEndId: 'SAL-2026-11-001', timestamp: '2026-11-23T09:01:01.204Z', payrollStatus: 'Unsigned' },
  { endToEndId: 'SAL-2026-11-002', timestamp: '2026-11-23T09:01:01.204Z', payrollStatus: 'Unsigned' },
]
const otherUnsigned: PayrollTransaction = { ...unsigned[0], endToEndId: 'SAL-2026-11-101' }

export const payrollExamples = {
  initiatePayroll: [
    { summary: 'Two salaries', body: salaries, answer: { payrollId, transactions: [...unsigned] } },
    {
      summary: 'The salary of another department',
      body: otherSalaries,
      answer: { payrollId: otherPayrollId, transactions: [otherUnsigned] },
    },
  ],
  initiatePayrollBulk: [
    {
      summary: 'The salaries of two departments, signed together',
      body: { callbackUrl, payrolls: [salaries, otherSalaries] },
      answer: {
        id: bulkId,
        payrolls: [
          { payrollId: bulkPayrollIds[0], transactions: [...unsigned] },
          { payrollId: bulkPayrollIds[1], transactions: [otherUnsigned] },
        ],
        status: 'STARTED',
        sca: {
          redirect: {
            type: 'redirect',
            url: 'http://127.0.0.1:8080/sign/hW4mZ8sYc1TqLrXk7VbNf0uJdE5oGaP2iC9xB6tQ3Rw',
          },
        },
      },
    },
  ],
  getPayrollStatus: [
    {
      summary: 'One salary has been paid, the account of the other is closed',
      params: { payrollId },
      answer: {
        payrollId,
        currentPayrollStatus: 'Completed',
        finalStatus: true,
        outcomeUnknown: false,
        transactions: [
          { endToEndId: 'SAL-2026-11-001', timestamp: '2026-11-25T05:10:44.310Z', payrollStatus: 'Completed' },
          {
            endToEndId: 'SAL-2026-11-002',
            timestamp: '2026-11-25T05:10:44.310Z',
            payrollStatus: 'Rejected',
            payrollStatusReasonText: 'Kontoen er avsluttet',
          },
        ],
      },
    },
  ],
  listPayrolls: [
    {
      summary: 'Finding an order whose response was lost',
      query: { endToEndId: 'SAL-2026-11-001', limit: 10 },
      answer: {
        payrolls: [
          {
            payrollId,
            from: { account: { bban: payrollBban }, name: companyName, organizationNumber },
            transactionCount: 2,
            totalAmount: { amount: '40723.50', currency: 'NOK' },
            dueDate: '2026-11-25',
            currentPayrollStatus: 'Unsigned',
            finalStatus: false,
            outcomeUnknown: false,
            createdAt: '2026-11-23T09:01:00.000Z',
            updatedAt: '2026-11-23T09:01:01.204Z',
          },
        ],
        nextCursor: null,
      },
    },
  ],
  approvePayrolls: [
    {
      summary: 'Two payrolls, signed together',
      body: { payrolls: [payrollId, otherPayrollId], callbackUrl, preferredScaMethod: 'Redirect' },
      answer: {
        id: approvalId,
        status: 'STARTED',
        sca: { type: 'redirect', url: 'http://127.0.0.1:8080/sign/zR7kPq2VxWc0eYbU9mLhT4sNfJ6aDgXi1oC8tB5Q3Ew' },
        payrolls: [
          { payrollId, result: 'STARTED', currentPayrollStatus: 'Unsigned' },
          { payrollId: otherPayrollId, result: 'STARTED', currentPayrollStatus: 'Unsigned' },
        ],
        requiredSignatures: null,
        remainingSignatures: null,
      },
    },
  ],
  getPayrollApproval: [
    {
      summary: 'The user has signed',
      params: { approvalId },
      answer: {
        id: approvalId,
        status: 'ACCEPTED',
        payrolls: [{ payrollId, result: 'ACCEPTED', currentPayrollStatus: 'InProgress' }],
        requiredSignatures: null,
        remainingSignatures: null,
      },
    },
  ],
  cancelPayroll: [
    {
      summary: 'An unsigned payroll',
      body: { payrollId, callbackUrl },
      answer: {
        id: cancellationId,
        cancellationRequestStatus: 'ACCEPTED',
        currentPayrollStatus: 'Cancelled',
        reason: null,
      },
    },
  ],
  getPayrollCancellation: [
    {
      summary: 'The user has signed the cancellation',
      params: { id: cancellationId },
      answer: {
        id: cancellationId,
        cancellationRequestStatus: 'ACCEPTED',
        currentPayrollStatus: 'Cancelled',
        reason: null,
      },
    },
  ],
  abandonPayrollApproval: [
    { summary: 'The user closed the tab before signing', params: { approvalId }, answer: undefined },
  ],
  abandonPayrollCancellation: [
    { summary: 'The user closed the tab before signing', params: { id: cancellationId }, answer: undefined },
  ],
} satisfies Partial<ExamplesById>
