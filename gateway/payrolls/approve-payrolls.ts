/** Starts the approval of payrolls and returns the URL to which the partner redirects the user. */
import type {
  PayrollApprovalRequest,
  PayrollApproval as PayrollApprovalResponse,
} from '../../contract/payrolls/payroll-approval-operations.ts'
import { bankOf } from '../accounts/require-consent-account.ts'
import { preferredApproachOf } from '../banks/connector/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { type ApprovalParameters, type ApprovalResult, beginApproval } from '../orders/sign/begin-approval.ts'
import { maxBasketSizeOf, requireWithinApprovalLimit } from '../orders/sign/plan-sca-steps.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { renderPayrollApproval } from './get-payroll-approval.ts'
import { type RequestedPayroll, requireApprovablePayrolls } from './require-approvable-payrolls.ts'

/** The user of the caller's consent signs, who need not be the one who ordered the payrolls. */
export async function approvePayrolls(
  context: Context,
  caller: ConsentCaller,
  request: PayrollApprovalRequest,
): Promise<PayrollApprovalResponse> {
  const started = await beginPayrollApproval(context, caller, {
    bank: await bankOf(context, caller),
    id: newId(),
    callbackUrl: request.callbackUrl,
    preferred: preferredApproachOf(request.preferredScaMethod),
    payrolls: requestedPayrolls(request),
  })
  return await renderPayrollApproval(context, started)
}

/** Which payrolls are to be approved, at which bank, and the URL to which the user returns. */
export type PayrollApprovalParameters = Pick<
  ApprovalParameters,
  'bank' | 'id' | 'callbackUrl' | 'preferred' | 'within'
> & {
  readonly payrolls: readonly RequestedPayroll[]
}

/**
 * Starts an approval over all orders of payrolls that the user may sign now. Embedded and decoupled SCA take place on our
 * page behind the link, whatever was preferred: the API has no other field.
 */
export async function beginPayrollApproval(
  context: Context,
  caller: ConsentCaller,
  { payrolls, ...parameters }: PayrollApprovalParameters,
): Promise<ApprovalResult> {
  const findApprovable = () => requireApprovablePayrolls(context, caller, payrolls)
  const found = await findApprovable()
  const paths = found.payments.map(({ id }) => found.pathOf(id))
  requireWithinApprovalLimit(paths, maxBasketSizeOf(parameters.bank, context.banks.connectorOf(parameters.bank)))
  return await beginApproval(context, caller, {
    ...parameters,
    codeForPartner: false,
    found,
    findAgain: findApprovable,
  })
}

/** Errors for payrolls that are listed twice; ids are compared without regard to case. */
export function duplicatePayrollErrors(request: PayrollApprovalRequest): readonly ValidationError[] {
  const firstById = new Map<string, string>()
  return requestedPayrolls(request).flatMap(({ id, path }) => {
    const first = firstById.get(id)
    firstById.set(id, first ?? path)
    return first === undefined ? [] : [{ code: 'InvalidRequest', reason: `is the same payroll as ${first}`, path }]
  })
}

/** A list takes precedence over a single payroll. */
function requestedPayrolls({ payrolls, payrollId }: PayrollApprovalRequest): readonly RequestedPayroll[] {
  if (payrolls !== undefined) {
    return payrolls.map((id, n) => ({ id: id.toLowerCase(), path: `.payrolls[${n}]` }))
  }
  return payrollId === undefined ? [] : [{ id: payrollId.toLowerCase(), path: '.payrollId' }]
}
