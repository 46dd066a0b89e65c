/** Returns an approval of payrolls to the partner that started it. */

import type { ApprovalStatus } from '../../contract/approvals.ts'
import type { PayrollApproval as PayrollApprovalResponse } from '../../contract/payrolls/payroll-approval-operations.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { findOrdersOf, selectPayrollOrders } from '../orders/find-orders.ts'
import { type Approval, statusOfResults } from '../orders/sign/approval.ts'
import type { ApprovalResult } from '../orders/sign/begin-approval.ts'
import { currentApproval } from '../orders/sign/get-approval.ts'
import { requirePayroll } from './get-payroll.ts'

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
export async function renderPayrollApproval(
  context: Context,
  { approval, sca }: Pick<ApprovalResult, 'approval' | 'sca'>,
): Promise<PayrollApprovalResponse> {
  const results = await resultsByPayroll(context, approval)
  const payrolls = await Promise.all([...results.keys()].map((id) => requirePayroll(context, approval.partnerId, id)))
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
