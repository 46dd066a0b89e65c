/** Starts an approval over all orders of payrolls that the user may sign now. */

import { type ApprovalParameters, type ApprovalResult, beginApproval } from '../../approvals/begin-approval.ts'
import { maxBasketSizeOf, orderLimitErrors } from '../../approvals/plan-sca-steps.ts'
import type { Approvable } from '../../approvals/require-approvable.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { selectPayrollOrders } from '../../orders/select-payroll-orders.ts'
import { InvalidRequestError } from '../../platform/http/errors/api-error.ts'
import { payrollSummaries } from './payroll-summary.ts'
import type { RequestedPayroll } from './requested-payrolls.ts'
import { requireApprovablePayrolls } from './require-approvable-payrolls.ts'

/** Which payrolls are to be approved, at which bank, and the URL to which the user returns. */
export type PayrollApprovalParameters = Pick<
  ApprovalParameters,
  'bank' | 'id' | 'callbackUrl' | 'preferred' | 'within'
> & {
  readonly payrolls: readonly RequestedPayroll[]
}

/** Embedded and decoupled SCA take place on our page behind the link, whatever was preferred: the API has no other field. */
export async function beginPayrollApproval(
  context: Context,
  caller: ConsentCaller,
  { payrolls: requested, ...parameters }: PayrollApprovalParameters,
): Promise<ApprovalResult> {
  const { payrolls, approvable } = await requireApprovablePayrolls(context, caller, requested)
  requireWithinLimit(approvable, maxBasketSizeOf(parameters.bank, context.banks.connectorOf(parameters.bank)))
  return await beginApproval(context, caller, {
    ...parameters,
    codeForPartner: false,
    isSummarySealed: true,
    found: approvable,
    findAgain: async () => (await requireApprovablePayrolls(context, caller, requested)).approvable,
    show: (orders) => payrollSummaries(context, payrolls, selectPayrollOrders(orders)),
  })
}

/** Throws 422 at the first payroll that exceeds what can be signed together. */
function requireWithinLimit({ payments, pathOf }: Approvable, basketSizeMax: number | null): void {
  const errors = orderLimitErrors(payments, pathOf, basketSizeMax)
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
}
