/** Starts the approval of payments, and gives the partner the address to which it sends the user. */
import type { ApprovalAsked, Approval as ApprovalShown } from '../../contract/approvals.ts'
import { bankOf } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { isPartners } from '../orders/payment.ts'
import { newId } from '../platform/ids.ts'
import { preferredOf } from '../signing/signed-in-app.ts'
import { beginApproval } from './begin-approval.ts'
import { shownApproval } from './get-approval.ts'
import { shownPayment } from './payment-summary.ts'
import { basketSizeAt } from './plan-sca-steps.ts'
import { requireApprovable, requireCount } from './require-approvable.ts'

/** Acts for the user of the caller's own consent, who need not have created the payments. */
export async function approvePayments(
  context: Context,
  caller: ConsentCaller,
  asked: ApprovalAsked,
): Promise<ApprovalShown> {
  const bank = await bankOf(context, caller)
  requireCount(asked.payments, basketSizeAt(bank, context.banks.connectorOf(bank)))
  const { approval, sca } = await beginApproval(context, caller, {
    bank,
    id: newId(),
    callbackUrl: asked.callbackUrl,
    preferred: preferredOf(asked.preferredScaMethod),
    codeForPartner: true,
    isShownSealed: false,
    find: () => requireApprovable(context, caller, asked.payments),
    show: async (payments) => payments.flatMap((payment) => (isPartners(payment) ? [shownPayment(payment)] : [])),
  })
  return { ...(await shownApproval(context, approval)), ...(sca && { sca }) }
}
