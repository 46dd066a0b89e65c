/** Serves the operations on approvals of payments. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import { validateCallbackUrl } from '../../authorisations/callback-url-validation.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { Serve } from '../../platform/http/operations/served-operation.ts'
import { abandonApproval } from './abandon-approval.ts'
import { approvePayments } from './approve-payments.ts'
import { getApproval } from './get-approval.ts'
import { duplicatePaymentErrors } from './require-approvable.ts'

export function serveApprovals(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.approvePayments, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payments') ? duplicatePaymentErrors(body.payments) : []),
      ...(isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayments(context, caller, body),
  })
  serve(operations.getPaymentApproval, ({ caller, params }) => getApproval(context, caller, params.approvalId))
  serve(operations.abandonPaymentApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payments'),
  )
}
