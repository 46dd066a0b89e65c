/** Declares the operations on approvals: start an approval of payments, get its status, and abandon it. */
import { type Static, Type } from 'typebox'
import { abandonOperation } from './abandon-operation.ts'
import { operation } from './operation.ts'
import { PaymentStatus } from './payments/payment-status.ts'
import { callbackUrl, Sca, scaOperation } from './sca.ts'
import { orNull, PreferredScaMethod, uuid } from './shapes.ts'

/** Ten consecutive SCA sessions at a bank with baskets of a hundred; most banks allow fewer, which the error names. */
const PAYMENTS_PER_APPROVAL_MAX = 1_000

export const ApprovalStatus = Type.Enum(['STARTED', 'ACCEPTED', 'REJECTED', 'CANCELLED'], {
  title: 'ApprovalStatus',
  description:
    'STARTED: the user has not finished. ACCEPTED: this user has signed all payments. REJECTED: the user or the bank ' +
    'rejected it. CANCELLED: the user left, it timed out, a newer approval replaced it, or it was abandoned.',
})
export type ApprovalStatus = Static<typeof ApprovalStatus>

export const ApprovalRequest = Type.Object(
  {
    payments: Type.Array(Type.String({ description: 'The id of a payment.' }), {
      minItems: 1,
      maxItems: PAYMENTS_PER_APPROVAL_MAX,
      uniqueItems: true,
      description: 'The payments to sign, domestic or cross-border; all of one bank and company.',
    }),
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'ApprovalRequest', description: 'The payments to sign.' },
)
export type ApprovalRequest = Static<typeof ApprovalRequest>

/** A number of signatures, null if the bank does not report it. */
export const signaturesOrUnknown = (description: string) =>
  Type.Optional(orNull(Type.Integer({ minimum: 0 }), description))

export const PaymentApprovalResult = Type.Object(
  {
    paymentId: uuid('The payment.'),
    result: ApprovalStatus,
    paymentStatus: PaymentStatus,
  },
  { title: 'PaymentApprovalResult', description: 'The outcome of one payment of an approval.' },
)
export type PaymentApprovalResult = Static<typeof PaymentApprovalResult>

export const Approval = Type.Object(
  {
    id: uuid('Identifies the approval.'),
    status: ApprovalStatus,
    sca: Type.Optional(Sca),
    payments: Type.Optional(Type.Array(PaymentApprovalResult, { description: 'The payments of the approval.' })),
    requiredSignatures: signaturesOrUnknown(
      'How many signatures are needed; null if the bank does not report it. At present no bank does: ' +
        '`PartlySigned` means that another user must sign.',
    ),
    remainingSignatures: signaturesOrUnknown('How many signatures are missing; null if the bank does not report it.'),
  },
  { title: 'Approval', description: 'The approval of one or more payments by one user.' },
)
export type Approval = Static<typeof Approval>

const tag = 'Approvals'
const path = '/api/v2/payments/approve'

export const approvePayments = operation({
  ...scaOperation,
  id: 'approvePayments',
  method: 'POST',
  path,
  tag,
  summary: 'Start the approval of payments',
  description:
    'Acts for the user of the `consent-id`, who may be another than the creator of the payments. Send the user to ' +
    '`sca.url`; the browser returns to callbackUrl with `status`, the outcome confirmed by the bank. A user who ' +
    'closed the tab can open the same URL again in the same browser and continue at the bank. While the user is at ' +
    'the bank, another approval of the same payments is rejected with `AUTHENTICATION_TEMPORARY_UNAVAILABLE`; ' +
    '`DELETE /api/v2/payments/approve/{approvalId}` abandons the open one.',
  psu: 'required',
  body: ApprovalRequest,
  answer: { status: 200, schema: Approval },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getPaymentApproval = operation({
  ...scaOperation,
  id: 'getPaymentApproval',
  method: 'GET',
  path: `${path}/{approvalId}`,
  tag,
  summary: 'Get an approval',
  description: 'With the QR method the response has the current code; poll it every second.',
  psu: 'required',
  params: Type.Object({ approvalId: uuid('The id returned when the approval was started.') }),
  answer: { status: 200, schema: Approval },
})

export const abandonPaymentApproval = abandonOperation({
  id: 'abandonPaymentApproval',
  path: `${path}/{approvalId}`,
  tag,
  summary: 'Abandon an approval',
  description: 'Ends an approval that the user left unfinished, for example by closing the tab.',
  params: Type.Object({ approvalId: uuid('The id returned when the approval was started.') }),
})
