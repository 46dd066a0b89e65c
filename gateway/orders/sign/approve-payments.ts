/** Starts the approval of payments and returns the URL to which the partner redirects the user. */
import type { ApprovalRequest, Approval as ApprovalResponse } from '../../../contract/approvals.ts'
import { bankOf } from '../../accounts/require-consent-account.ts'
import { preferredApproachOf } from '../../banks/directory/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { beginApproval } from './begin-approval.ts'
import { renderApproval } from './get-approval.ts'
import { maxBasketSizeOf, requireWithinApprovalLimit } from './plan-sca-steps.ts'
import { findApprovable, requireApprovable } from './require-approvable.ts'

/** The user of the caller's consent signs, who need not be the one who created the payments. */
export async function approvePayments(
  context: Context,
  caller: ConsentCaller,
  request: ApprovalRequest,
): Promise<ApprovalResponse> {
  const bank = await bankOf(context, caller)
  const paths = request.payments.map((_id, n) => `.payments[${n}]`)
  requireWithinApprovalLimit(paths, maxBasketSizeOf(bank, context.banks.connectorOf(bank)))
  const { approval, payments, sca } = await beginApproval(context, caller, {
    bank,
    id: newId(),
    callbackUrl: request.callbackUrl,
    preferred: preferredApproachOf(request.preferredScaMethod),
    codeForPartner: true,
    found: await requireApprovable(context, caller, request.payments),
    findAgain: () => findApprovable(context, caller, request.payments),
  })
  return { ...renderApproval(approval, payments), ...(sca && { sca }) }
}
