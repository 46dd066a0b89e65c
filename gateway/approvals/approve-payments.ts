/** Starts the approval of payments, and gives the partner the address to which it sends the user. */
import type { ApprovalAsked, Approval as ApprovalShown } from '../../contract/approvals.ts'
import { bankOf } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { newId } from '../foundation/ids.ts'
import type { HeldPayment } from '../payments/payment.ts'
import { keepSigning, prepareSigning } from '../signing/prepare-signing.ts'
import { type Approval, digestOf } from './approval.ts'
import { approvalSigning } from './approval-signing.ts'
import { insertApproval } from './approval-store.ts'
import { requireApprovable } from './require-approvable.ts'
import { shownApproval } from './show-approval.ts'
import { shownPayment } from './shown-payment.ts'
import { supersede } from './supersede.ts'

/** Banks end an authorisation after their own time; nobody's may take longer than this. */
const AUTHORISATION_SECONDS_MAX = 600

/** Acts for the user of the caller's own consent, who need not have created the payments. */
export async function approvePayments(
  context: Context,
  caller: ConsentCaller,
  { payments: ids, callbackUrl }: ApprovalAsked,
): Promise<ApprovalShown> {
  const bank = await bankOf(context, caller)
  const payments = await requireApprovable(context, caller, ids)
  await supersede(context, caller.partnerId, payments)
  const approval = approvalOf(context, caller, payments)
  const seconds = Math.min(bank.profile.authorisationTtlSeconds, AUTHORISATION_SECONDS_MAX)
  const prepared = await prepareSigning(context, approvalSigning(approval), {
    partnerId: caller.partnerId,
    kind: 'approval',
    subjectId: approval.id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl,
    expiresAt: context.clock.now().add({ seconds }),
    psu: caller.psu,
    userId: caller.consent.userId,
    steps: payments.map((payment) => ({ targetType: 'payment', targetId: payment.id, shown: shownPayment(payment) })),
  })
  await context.database.query.transaction().execute(async (transaction) => {
    await insertApproval(transaction, approval)
    await keepSigning(transaction, prepared)
  })
  return { ...(await shownApproval(context, approval)), sca: { type: 'redirect', url: prepared.url } }
}

function approvalOf(context: Context, caller: ConsentCaller, payments: readonly HeldPayment[]): Approval {
  return {
    partnerId: caller.partnerId,
    id: newId(),
    consentId: caller.consent.id,
    status: 'STARTED',
    createdAt: context.clock.now(),
    payments: payments.map((payment) => ({
      paymentId: payment.id,
      bankPaymentId: payment.bankPaymentId,
      orderDigest: digestOf(payment),
      result: 'STARTED',
    })),
  }
}
