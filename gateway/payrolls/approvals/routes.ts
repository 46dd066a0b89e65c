/** Serves the operations on approvals of payrolls. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import { validateCallbackUrl } from '../../authorisations/callback-url-validation.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { abandonApproval } from '../../orders/sign/abandon-approval.ts'
import type { Serve } from '../../platform/http/operations/served-operation.ts'
import { approvePayrolls, duplicatePayrollErrors } from './approve-payrolls.ts'
import { getPayrollApproval } from './get-payroll-approval.ts'

export function servePayrollApprovals(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.approvePayrolls, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payrolls') ? duplicatePayrollErrors(body) : []),
      ...(isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayrolls(context, caller, body),
  })
  serve(operations.readPayrollApproval, ({ caller, params }) => getPayrollApproval(context, caller, params.approvalId))
  serve(operations.abandonPayrollApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payrolls'),
  )
}
