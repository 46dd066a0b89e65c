/** Shows an approval of payrolls to the partner that started it. */
import type { ApprovalStatus } from '../../../contract/approvals.ts'
import type { PayrollApproval as PayrollApprovalShown } from '../../../contract/payrolls/payroll-approval-operations.ts'
import { type Approval, statusOfResults } from '../../approvals/approval.ts'
import type { ApprovalStarted } from '../../approvals/begin-approval.ts'
import { standingApproval } from '../../approvals/get-approval.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { findOrdersOf } from '../../orders/find-payments.ts'
import { payrollOrdersAmong } from '../../orders/payroll/select-payroll-orders.ts'
import { payrollOf } from '../require-payroll.ts'

/** One approval of payrolls, as it stands now. */
export async function showPayrollApproval(
  context: Context,
  { partnerId }: ConsentCaller,
  id: string,
): Promise<PayrollApprovalShown> {
  const { approval, sca } = await standingApproval(context, partnerId, id, 'payrolls')
  return await shownPayrollApproval(context, { approval, sca })
}

/** The bank does not say how many signatures an order needs. */
export async function shownPayrollApproval(
  context: Context,
  { approval, sca }: ApprovalStarted,
): Promise<PayrollApprovalShown> {
  const results = await resultsByPayroll(context, approval)
  const payrolls = await Promise.all([...results.keys()].map((id) => payrollOf(context, approval.partnerId, id)))
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
  const orders = payrollOrdersAmong(await findOrdersOf(context, partnerId, ids))
  const results = new Map<string, ApprovalStatus[]>()
  for (const { id, payrollId } of orders) {
    const ofPayroll = results.get(payrollId) ?? []
    ofPayroll.push(resultById.get(id) ?? 'STARTED')
    results.set(payrollId, ofPayroll)
  }
  return results
}
