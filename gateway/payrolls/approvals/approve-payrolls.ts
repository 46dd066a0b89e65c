/** Starts the approval of payrolls and returns the URL to which the partner redirects the user. */
import type {
  PayrollApprovalRequest,
  PayrollApproval as PayrollApprovalResponse,
} from '../../../contract/payrolls/payroll-approval-operations.ts'
import { bankOf } from '../../accounts/require-consent-account.ts'
import { preferredApproachOf } from '../../banks/directory/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { beginPayrollApproval } from './begin-payroll-approval.ts'
import { renderPayrollApproval } from './get-payroll-approval.ts'
import { requestedPayrolls } from './requested-payrolls.ts'

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
