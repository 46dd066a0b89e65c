/** Begins an approval over all orders of payrolls that a user may sign now. */
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { payrollOrdersAmong } from '../../orders/payroll/select-payroll-orders.ts'
import type { PayrollAskedFor } from '../../payrolls/approvals/requested-payrolls.ts'
import { requireApprovablePayrolls } from '../../payrolls/approvals/require-approvable-payrolls.ts'
import { Invalid } from '../../platform/http/errors/api-error.ts'
import { type ApprovalBegun, type ApprovalStarted, beginApproval } from '../begin-approval.ts'
import { basketSizeAt, tooManyOrders } from '../plan-sca-steps.ts'
import type { Approvable } from '../require-approvable.ts'
import { shownPayrolls } from './shown-payroll.ts'

/** Which payrolls are to be approved, at which bank, and where their user returns to. */
export type PayrollApprovalWanted = Pick<ApprovalBegun, 'bank' | 'id' | 'callbackUrl' | 'preferred' | 'within'> & {
  readonly payrolls: readonly PayrollAskedFor[]
}

/** Codes and apps are on our page behind the link, whatever was preferred: the interface has no other place for them. */
export async function beginPayrollApproval(
  context: Context,
  caller: ConsentCaller,
  { payrolls: asked, ...wanted }: PayrollApprovalWanted,
): Promise<ApprovalStarted> {
  const { payrolls, approvable } = await requireApprovablePayrolls(context, caller, asked)
  requireFew(approvable, basketSizeAt(wanted.bank, context.banks.connectorOf(wanted.bank)))
  return await beginApproval(context, caller, {
    ...wanted,
    codeForPartner: false,
    isShownSealed: true,
    find: async () => (await requireApprovablePayrolls(context, caller, asked)).approvable,
    show: (orders) => shownPayrolls(context, payrolls, payrollOrdersAmong(orders)),
  })
}

/** More can never be signed together, whatever they are. Throws 422 at the first payroll that finds no place. */
function requireFew({ payments, pathOf }: Approvable, basketSizeMax: number | null): void {
  const problems = tooManyOrders(payments, pathOf, basketSizeMax)
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
}
