/** Declares the operations that a payroll is signed and cancelled by: start each, follow it, and abandon it. */
import { type Static, Type } from 'typebox'
import { abandonOperation } from '../abandon-operation.ts'
import { ApprovalStatus, signaturesOrUnknown } from '../approvals.ts'
import { CancellationRequestStatus } from '../cancellations.ts'
import { operation } from '../operation.ts'
import { callbackUrl, ScaRedirect } from '../sca.ts'
import { having, PreferredScaMethod, uuid } from '../shapes.ts'
import { currentPayrollStatus, payrollId } from './payroll-response.ts'

/** As many as a bulk holds. */
const PAYROLLS_PER_APPROVAL_MAX = 100

export const PayrollApprovalAsked = Type.Object(
  {
    payrolls: Type.Optional(
      Type.Array(Type.String({ description: 'The id of a payroll.' }), {
        minItems: 1,
        maxItems: PAYROLLS_PER_APPROVAL_MAX,
        uniqueItems: true,
        description: 'The payrolls to sign, of one bank and company; with them `payrollId` means nothing.',
      }),
    ),
    payrollId: Type.Optional(Type.String({ minLength: 1, description: 'The payroll to sign, where it is one.' })),
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  {
    title: 'PayrollApprovalAsked',
    description: 'Which payrolls are to be signed: `payrolls`, or `payrollId`.',
    anyOf: [having(['payrolls']), having(['payrollId'])],
  },
)
export type PayrollApprovalAsked = Static<typeof PayrollApprovalAsked>

export const PayrollApproved = Type.Object(
  { payrollId, result: ApprovalStatus, currentPayrollStatus },
  { title: 'PayrollApproved', description: 'What became of one payroll of an approval.' },
)
export type PayrollApproved = Static<typeof PayrollApproved>

export const PayrollApproval = Type.Object(
  {
    id: uuid('Identifies the approval.'),
    status: ApprovalStatus,
    sca: Type.Optional(ScaRedirect),
    payrolls: Type.Optional(Type.Array(PayrollApproved, { description: 'Each payroll that is signed by it.' })),
    requiredSignatures: signaturesOrUnknown('How many signatures are needed; null where the bank does not say.'),
    remainingSignatures: signaturesOrUnknown('How many are still missing; null where the bank does not say.'),
  },
  { title: 'PayrollApproval', description: 'The signing of one or more payrolls by one user.' },
)
export type PayrollApproval = Static<typeof PayrollApproval>

export const PayrollCancellationAsked = Type.Object(
  {
    payrollId: Type.String({ minLength: 1, description: 'The id of the payroll to cancel.' }),
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'PayrollCancellationAsked', description: 'Which payroll is to be cancelled.' },
)
export type PayrollCancellationAsked = Static<typeof PayrollCancellationAsked>

export const PayrollCancellation = Type.Object(
  {
    id: uuid('Identifies the attempt to cancel.'),
    sca: Type.Optional(ScaRedirect),
    cancellationRequestStatus: CancellationRequestStatus,
    currentPayrollStatus,
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the payroll, or a part of it, is not cancelled; null where there is nothing to say.',
    }),
  },
  {
    title: 'PayrollCancellation',
    description:
      'An attempt to cancel a payroll. Its status is not that of the payroll, which is Cancelled once the bank says so.',
  },
)
export type PayrollCancellation = Static<typeof PayrollCancellation>

const signing = {
  server: 'base',
  tag: 'Payrolls',
  admits: 'consent',
  permission: 'payroll',
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  sandboxOnly: false,
} as const

export const approvePayrolls = operation({
  ...signing,
  id: 'approvePayrolls',
  method: 'POST',
  path: '/api/v2/payroll/approve',
  summary: 'Start the approval of payrolls',
  description:
    'Acts for the user of the `consent-id`, who need not have ordered the payrolls. Send the user to `sca.url`; a page ' +
    'there shows a code, or waits for an app, where the bank has its users sign so. Right after ordering it waits, up to ' +
    '20 seconds, until the bank holds every payout. Where that takes longer it answers ' +
    '`AUTHENTICATION_TEMPORARY_UNAVAILABLE` with `Retry-After`: ask again.',
  psu: 'required',
  body: PayrollApprovalAsked,
  answer: { status: 200, schema: PayrollApproval },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const readPayrollApproval = operation({
  ...signing,
  id: 'readPayrollApproval',
  method: 'GET',
  path: '/api/v2/payroll/approve/{approvalId}',
  summary: 'Read an approval of payrolls',
  psu: 'required',
  params: Type.Object({ approvalId: uuid('The id that the start of the approval, or the bulk, answered.') }),
  answer: { status: 200, schema: PayrollApproval },
  validation: [],
  idempotent: false,
})

export const abandonPayrollApproval = abandonOperation({
  id: 'abandonPayrollApproval',
  path: '/api/v2/payroll/approve/{approvalId}',
  tag: signing.tag,
  summary: 'Abandon an approval of payrolls',
  description: 'Ends an approval whose user does not come back, as after closing the tab.',
  permission: signing.permission,
  params: Type.Object({ approvalId: uuid('The id that the start of the approval, or the bulk, answered.') }),
})

export const cancelPayroll = operation({
  ...signing,
  id: 'cancelPayroll',
  method: 'POST',
  path: '/api/v2/payroll/cancel',
  summary: 'Cancel a payroll',
  description:
    'Acts for the user of the `consent-id`, who need not have ordered the payroll. An approval whose user has not left ' +
    'for the bank yet is ended first. Some banks have the user sign the cancellation: send the user to `sca.url` then. ' +
    'Asked again while that is open, the same cancellation is answered.',
  psu: 'optional',
  body: PayrollCancellationAsked,
  answer: { status: 200, schema: PayrollCancellation },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const readPayrollCancellation = operation({
  ...signing,
  id: 'readPayrollCancellation',
  method: 'GET',
  path: '/api/v2/payroll/cancel/{id}',
  summary: 'Read a cancellation of a payroll',
  psu: 'optional',
  params: Type.Object({ id: uuid('The id that the cancellation was answered with.') }),
  answer: { status: 200, schema: PayrollCancellation },
  validation: [],
  idempotent: false,
})

export const abandonPayrollCancellation = abandonOperation({
  id: 'abandonPayrollCancellation',
  path: '/api/v2/payroll/cancel/{id}',
  tag: signing.tag,
  summary: 'Abandon a cancellation of a payroll that waits for its signature',
  description:
    'Ends a cancellation that is `AUTHORIZATION_REQUIRED` and whose user does not come back: what is not withdrawn by ' +
    'then stays as it is.',
  permission: signing.permission,
  params: Type.Object({ id: uuid('The id that the cancellation was answered with.') }),
})
