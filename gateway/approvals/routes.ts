/** Serves the operations on approvals, those of payrolls among them. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../foundation/http/served-operation.ts'
import { checkCallbackUrl } from '../signing/callback-rules.ts'
import { abandonApproval } from './abandon-approval.ts'
import { approvePayments } from './approve-payments.ts'
import { servePayrollApprovals } from './payrolls/routes.ts'
import { approvalListProblems } from './require-approvable.ts'
import { showApproval } from './show-approval.ts'

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
