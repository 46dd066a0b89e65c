/** Declares the operations on approvals: start the signing of payments, follow it, and abandon it. */
import { type Static, Type } from 'typebox'
import { abandonOperation } from './abandon-operation.ts'
import { operation } from './operation.ts'
import { callbackUrl, Sca } from './sca.ts'
import { PaymentStatus, PreferredScaMethod, uuid } from './shapes.ts'

/** Ten signings in turn at a bank that takes a hundred into each; at most banks fewer, which is told when they are asked. */
const PAYMENTS_PER_APPROVAL_MAX = 1_000

export const ApprovalStatus = Type.Enum(['STARTED', 'ACCEPTED', 'REJECTED', 'CANCELLED'], {
  title: 'ApprovalStatus',
  description:
    "STARTED: the user has not finished. ACCEPTED: this user's signature was taken on all of them. REJECTED: the " +
    'user or the bank refused. CANCELLED: the user left, the time passed, a newer approval took its place, or it was ' +
    'abandoned.',
})
export type ApprovalStatus = Static<typeof ApprovalStatus>

export const ApprovalAsked = Type.Object(
  {
    payments: Type.Array(Type.String({ description: 'The id of a payment.' }), {
      minItems: 1,
      maxItems: PAYMENTS_PER_APPROVAL_MAX,
      uniqueItems: true,
      description: 'The payments to sign, domestic and cross-border; of one bank and company.',
    }),
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'ApprovalAsked', description: 'Which payments are to be signed.' },
)
export type ApprovalAsked = Static<typeof ApprovalAsked>

/** A number of signatures that a bank may not tell. */
export const signaturesOrUnknown = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description }))

export const PaymentApproved = Type.Object(
  {
    paymentId: uuid('The payment.'),
    result: ApprovalStatus,
    paymentStatus: PaymentStatus,
  },
  { title: 'PaymentApproved', description: 'What became of one payment of an approval.' },
)
export type PaymentApproved = Static<typeof PaymentApproved>

export const Approval = Type.Object(
  {
    id: uuid('Identifies the approval.'),
    status: ApprovalStatus,
    sca: Type.Optional(Sca),
    payments: Type.Optional(Type.Array(PaymentApproved, { description: 'Each payment that is signed by it.' })),
    requiredSignatures: signaturesOrUnknown(
      'How many signatures are needed; null where the bank does not say. The standard of the banks has no word for it, and none of those served says it: `PartlySigned` tells that somebody else has to sign.',
    ),
    remainingSignatures: signaturesOrUnknown(
      'How many are still missing; null where the bank does not say, as with `requiredSignatures`.',
    ),
  },
  { title: 'Approval', description: 'The signing of one or more payments by one user.' },
)
export type Approval = Static<typeof Approval>

const tag = 'Approvals'
const path = '/api/v2/payments/approve'

export const approvePayments = operation({
  id: 'approvePayments',
  method: 'POST',
  path,
  server: 'base',
  tag,
  summary: 'Start the approval of payments',
  description:
    'Acts for the user of the `consent-id`, who need not have created the payments. Send the user to `sca.url`; ' +
    'the browser comes back to callbackUrl with `status`, which tells what the bank confirmed. A user who closed the tab ' +
    'opens the same address again in the same browser and continues at the bank. While the user is at the bank, ' +
    'another approval of the same payments is refused with `AUTHENTICATION_TEMPORARY_UNAVAILABLE`; ' +
    '`DELETE /api/v2/payments/approve/{approvalId}` abandons the one that is open.',
  admits: 'consent',
  psu: 'required',
  body: ApprovalAsked,
  answer: { status: 200, schema: Approval },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: false,
})

export const getPaymentApproval = operation({
  id: 'getPaymentApproval',
  method: 'GET',
  path: `${path}/{approvalId}`,
  server: 'base',
  tag,
  summary: 'Read an approval',
  description: 'With the QR method it carries a fresh code and is to be fetched every second.',
  admits: 'consent',
  psu: 'required',
  params: Type.Object({ approvalId: uuid('The id that the start of the approval answered.') }),
  answer: { status: 200, schema: Approval },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

export const abandonPaymentApproval = abandonOperation({
  id: 'abandonPaymentApproval',
  path: `${path}/{approvalId}`,
  tag,
  summary: 'Abandon an approval',
  description: 'Ends an approval whose user does not come back, as after closing the tab.',
  params: Type.Object({ approvalId: uuid('The id that the start of the approval answered.') }),
})
