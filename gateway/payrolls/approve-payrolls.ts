/** Approves payrolls: starts the approval, returns the URL to which the partner redirects the user, and shows its result. */

import type { ApprovalStatus } from '../../contract/approvals.ts'
import type {
  PayrollApprovalRequest,
  PayrollApproval as PayrollApprovalResponse,
} from '../../contract/payrolls/payroll-approval-operations.ts'
import { bankOf } from '../accounts/require-consent-account.ts'
import { preferredApproachOf } from '../banks/connector/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { findOrdersOf, findPayrollOf, selectPayrollOrders } from '../orders/find-orders.ts'
import { type Approval, statusOfResults } from '../orders/sign/approval.ts'
import { type ApprovalParameters, type ApprovalResult, beginApproval } from '../orders/sign/begin-approval.ts'
import { currentApproval } from '../orders/sign/get-approval.ts'
import { maxBasketSizeOf, requireWithinApprovalLimit } from '../orders/sign/plan-sca-steps.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
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

/** Throws 404, or `ACCESS_DENIED` for a consent at another bank or of another company. */
export async function getPayrollApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<PayrollApprovalResponse> {
  const { approval, sca } = await currentApproval(context, caller, id, 'payrolls')
  return await renderPayrollApproval(context, { approval, sca })
}

/** Banks do not report how many signatures a payroll order needs. */
async function renderPayrollApproval(
  context: Context,
  { approval, sca }: Pick<ApprovalResult, 'approval' | 'sca'>,
): Promise<PayrollApprovalResponse> {
  const results = await resultsByPayroll(context, approval)
  const payrolls = await Promise.all([...results.keys()].map((id) => findPayrollOf(context, approval.partnerId, id)))
  return {
    id: approval.id,
    status: approval.status,
    ...(sca?.type === 'redirect' ? { sca } : {}),
    payrolls: payrolls.map(({ id, status }) => ({
      payrollId: id,
      result: statusOfResults(results.get(id) ?? []),
      currentPayrollStatus: status,
    })),
    requiredSignatures: null,
    remainingSignatures: null,
  }
}

async function resultsByPayroll(
  context: Context,
  { partnerId, payments }: Approval,
): Promise<ReadonlyMap<string, readonly ApprovalStatus[]>> {
  const ids = payments.map(({ paymentId }) => paymentId)
  const resultById = new Map(payments.map(({ paymentId, result }) => [paymentId, result]))
  const orders = selectPayrollOrders(await findOrdersOf(context, partnerId, ids))
  const results = new Map<string, ApprovalStatus[]>()
  for (const { id, ordered } of orders) {
    const { payrollId } = ordered
    const ofPayroll = results.get(payrollId) ?? []
    ofPayroll.push(resultById.get(id) ?? 'STARTED')
    results.set(payrollId, ofPayroll)
  }
  return results
}
