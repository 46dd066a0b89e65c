/** Starts the approval of payrolls, and gives the partner the address to which it sends the user. */
import type {
  PayrollApprovalAsked,
  PayrollApproval as PayrollApprovalShown,
} from '../../../contract/payrolls/payroll-approval-operations.ts'
import { bankOf } from '../../accounts/require-account.ts'
import { beginPayrollApproval } from '../../approvals/payrolls/begin-payroll-approval.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { preferredOf } from '../../signing/signed-in-app.ts'
import { shownPayrollApproval } from './get-payroll-approval.ts'
import { payrollsAsked } from './requested-payrolls.ts'

/** Acts for the user of the caller's own consent, who need not have ordered the payrolls. */
export async function approvePayrolls(
  context: Context,
  caller: ConsentCaller,
  asked: PayrollApprovalAsked,
): Promise<PayrollApprovalShown> {
  const started = await beginPayrollApproval(context, caller, {
    bank: await bankOf(context, caller),
    id: newId(),
    callbackUrl: asked.callbackUrl,
    preferred: preferredOf(asked.preferredScaMethod),
    payrolls: payrollsAsked(asked),
  })
  return await shownPayrollApproval(context, started)
}
