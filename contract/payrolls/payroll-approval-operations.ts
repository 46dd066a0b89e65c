/** Declares the operations on approvals and cancellations of payrolls: start, get and abandon. */
import { type Static, Type } from 'typebox'
import { abandonOperation } from '../abandon-operation.ts'
import { ApprovalStatus, signaturesOrUnknown } from '../approvals.ts'
import { CancellationRequestStatus } from '../cancellations.ts'
import { operation } from '../operation.ts'
import { callbackUrl, ScaRedirect, scaOperation } from '../sca.ts'
import { PreferredScaMethod, requiringFields, textOrNull, uuid } from '../shapes.ts'
import { currentPayrollStatus, payrollId } from './payroll-response.ts'

/** The same maximum as for a bulk. */
const PAYROLLS_PER_APPROVAL_MAX = 100

export const PayrollApprovalRequest = Type.Object(
  {
    payrolls: Type.Optional(
      Type.Array(Type.String({ description: 'The id of a payroll.' }), {
        minItems: 1,
        maxItems: PAYROLLS_PER_APPROVAL_MAX,
        uniqueItems: true,
        description: 'The payrolls to sign, of one bank and company; if present, `payrollId` is ignored.',
      }),
    ),
    payrollId: Type.Optional(Type.String({ minLength: 1, description: 'The payroll to sign, if it is only one.' })),
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  {
    title: 'PayrollApprovalRequest',
    description: 'The payrolls to sign: `payrolls` or `payrollId`.',
    anyOf: [requiringFields(['payrolls']), requiringFields(['payrollId'])],
  },
)
export type PayrollApprovalRequest = Static<typeof PayrollApprovalRequest>

export const PayrollApprovalResult = Type.Object(
  { payrollId, result: ApprovalStatus, currentPayrollStatus },
  { title: 'PayrollApprovalResult', description: 'The outcome of one payroll of an approval.' },
)
export type PayrollApprovalResult = Static<typeof PayrollApprovalResult>

export const PayrollApproval = Type.Object(
  {
    id: uuid('Identifies the approval.'),
    status: ApprovalStatus,
    sca: Type.Optional(ScaRedirect),
    payrolls: Type.Optional(Type.Array(PayrollApprovalResult, { description: 'The payrolls of the approval.' })),
    requiredSignatures: signaturesOrUnknown('How many signatures are needed; null if the bank does not report it.'),
    remainingSignatures: signaturesOrUnknown('How many signatures are missing; null if the bank does not report it.'),
  },
  { title: 'PayrollApproval', description: 'The approval of one or more payrolls by one user.' },
)
export type PayrollApproval = Static<typeof PayrollApproval>

export const PayrollCancellationRequest = Type.Object(
  {
    payrollId: Type.String({ minLength: 1, description: 'The id of the payroll to cancel.' }),
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'PayrollCancellationRequest', description: 'The payroll to cancel.' },
)
export type PayrollCancellationRequest = Static<typeof PayrollCancellationRequest>

const CancellationProgress = Type.Object(
  {
    answered: Type.Integer({ minimum: 0, description: 'The orders for which the bank has answered.' }),
    orders: Type.Integer({ minimum: 1, description: 'The orders of the payroll that are to be cancelled.' }),
  },
  {
    title: 'PayrollCancellationProgress',
    description: 'Present, in place of cancellationRequestStatus, until the bank has answered for every order.',
  },
)

export const PayrollCancellation = Type.Object(
  {
    id: uuid('Identifies the cancellation.'),
    sca: Type.Optional(ScaRedirect),
    cancellationRequestStatus: Type.Optional(CancellationRequestStatus),
    currentPayrollStatus,
    reason: textOrNull('Why the payroll, or a part of it, is not cancelled; null if there is no reason.'),
    progress: Type.Optional(CancellationProgress),
  },
  {
    title: 'PayrollCancellation',
    description:
      'A cancellation request for a payroll. The payroll itself becomes Cancelled once the bank confirms it.',
  },
)
export type PayrollCancellation = Static<typeof PayrollCancellation>

const signing = { ...scaOperation, tag: 'Payrolls', permission: 'payroll' } as const

export const approvePayrolls = operation({
  ...signing,
  id: 'approvePayrolls',
  method: 'POST',
  path: '/api/v2/payroll/approve',
  summary: 'Start the approval of payrolls',
  description:
    'Acts for the user of the `consent-id`, who may be another than the orderer. Send the user to ' +
    '`sca.url`; a page there shows a code or waits for an app if the bank uses one. Right after ordering it ' +
    'waits, up to 20 seconds, until the bank has received every transaction. If that takes longer it returns ' +
    '`AUTHENTICATION_TEMPORARY_UNAVAILABLE` with `Retry-After`: ask again.',
  psu: 'required',
  body: PayrollApprovalRequest,
  answer: { status: 200, schema: PayrollApproval },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getPayrollApproval = operation({
  ...signing,
  id: 'getPayrollApproval',
  method: 'GET',
  path: '/api/v2/payroll/approve/{approvalId}',
  summary: 'Get an approval of payrolls',
  description: 'The status of an approval of payrolls, and how the user signs it.',
  psu: 'required',
  params: Type.Object({ approvalId: uuid('The id of the approval, or of the bulk.') }),
  answer: { status: 200, schema: PayrollApproval },
})

export const abandonPayrollApproval = abandonOperation({
  id: 'abandonPayrollApproval',
  path: '/api/v2/payroll/approve/{approvalId}',
  tag: signing.tag,
  summary: 'Abandon an approval of payrolls',
  description: 'Ends an approval that the user left unfinished, for example by closing the tab.',
  permission: signing.permission,
  params: Type.Object({ approvalId: uuid('The id of the approval, or of the bulk.') }),
})

export const cancelPayroll = operation({
  ...signing,
  id: 'cancelPayroll',
  method: 'POST',
  path: '/api/v2/payroll/cancel',
  summary: 'Cancel a payroll',
  destructive: 'Cancelled transactions of the payroll cannot be restored.',
  description:
    'Acts for the user of the `consent-id`, who may be another than the orderer, but must be one whom the bank has let ' +
    'pay from the account; otherwise `ACCESS_DENIED`. An approval whose user is not at the bank yet is ended first. Some ' +
    'banks require the user to sign the cancellation: send the user to `sca.url` then. A repeated request while it is open returns the same cancellation. ' +
    'A payroll that the bank has as many orders can take longer than 20 seconds: then the answer is 202 with `progress`, ' +
    'the orders are cancelled further, and `GET /api/v2/payroll/cancel/{id}` shows how it ends.',
  psu: 'optional',
  body: PayrollCancellationRequest,
  answer: { status: 200, schema: PayrollCancellation, continuesWith: 'progress' },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getPayrollCancellation = operation({
  ...signing,
  id: 'getPayrollCancellation',
  method: 'GET',
  path: '/api/v2/payroll/cancel/{id}',
  summary: 'Get a cancellation of a payroll',
  description: 'The status of the cancellation of a payroll, and how the user signs it where that is needed.',
  psu: 'optional',
  params: Type.Object({ id: uuid('The id of the cancellation.') }),
  answer: { status: 200, schema: PayrollCancellation },
})

export const abandonPayrollCancellation = abandonOperation({
  id: 'abandonPayrollCancellation',
  path: '/api/v2/payroll/cancel/{id}',
  tag: signing.tag,
  summary: 'Abandon a cancellation of a payroll that is not signed yet',
  description:
    'Ends a cancellation in `AUTHORIZATION_REQUIRED` that the user left unfinished: what is not cancelled ' +
    'by then is unchanged.',
  permission: signing.permission,
  params: Type.Object({ id: uuid('The id of the cancellation.') }),
})
