/** Serves the operations on approvals, those of payrolls among them. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { checkCallbackUrl } from '../authorisations/callback-url-validation.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { servePayrollApprovals } from '../payrolls/approvals/routes.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { abandonApproval } from './abandon-approval.ts'
import { approvePayments } from './approve-payments.ts'
import { showApproval } from './get-approval.ts'
import { approvalListProblems } from './require-approvable.ts'

export function serveApprovals(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.approvePayments, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payments') ? approvalListProblems(body.payments) : []),
      ...(isSound('.callbackUrl') ? checkCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayments(context, caller, body),
  })
  servePayrollApprovals(serve, context)
  serve(operations.getPaymentApproval, ({ caller, params }) => showApproval(context, caller, params.approvalId))
  serve(operations.abandonPaymentApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payments'),
  )
}
