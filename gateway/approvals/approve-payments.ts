/** Starts the approval of payments, and gives the partner the address to which it sends the user. */
import type { ApprovalAsked, Approval as ApprovalShown } from '../../contract/approvals.ts'
import { bankOf } from '../accounts/require-account.ts'
import type { Bank } from '../banks/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { newId } from '../foundation/ids.ts'
import type { HeldPayment } from '../payments/payment.ts'
import { keepSigning, type PreparedSigning, prepareSigning, type SigningWanted } from '../signing/prepare-signing.ts'
import { type Approval, digestOf } from './approval.ts'
import { freePayments } from './approval-hold-store.ts'
import { approvalSigning } from './approval-signing.ts'
import { insertApproval } from './approval-store.ts'
import { BUSY, whileHolding } from './hold-payments.ts'
import { requireApprovable } from './require-approvable.ts'
import { requireHeldAtBank } from './require-held-at-bank.ts'
import { shownApproval } from './show-approval.ts'
import { shownPayment } from './shown-payment.ts'
import { supersede } from './supersede.ts'

/** Banks end an authorisation after their own time; nobody's may take longer than this. */
const AUTHORISATION_SECONDS_MAX = 600

/** Acts for the user of the caller's own consent, who need not have created the payments. */
export async function approvePayments(
  context: Context,
  caller: ConsentCaller,
  asked: ApprovalAsked,
): Promise<ApprovalShown> {
  const bank = await bankOf(context, caller)
  const holder = { partnerId: caller.partnerId, id: newId() }
  const found = await requireApprovable(context, caller, asked.payments)
  return await whileHolding(context, holder, found, async () => {
    await supersede(context, caller.partnerId, found)
    // An older approval that has just ended may have signed some of them.
    const payments = await requireHeldAtBank(
      context,
      caller,
      bank,
      await requireApprovable(context, caller, asked.payments),
    )
    const approval = approvalOf(context, caller, holder.id, payments)
    const wanted = wantedOf(context, { caller, bank, approval, callbackUrl: asked.callbackUrl }, payments)
    const prepared = await prepareSigning(context, approvalSigning(approval), wanted)
    await keep(context, approval, prepared)
    return { ...(await shownApproval(context, approval)), sca: { type: 'redirect', url: prepared.url } }
  })
}

type Wanted = {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly approval: Approval
  readonly callbackUrl: string
}

function wantedOf(
  context: Context,
  { caller, bank, approval, callbackUrl }: Wanted,
  payments: readonly HeldPayment[],
): SigningWanted {
  const seconds = Math.min(bank.profile.authorisationTtlSeconds, AUTHORISATION_SECONDS_MAX)
  return {
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
  }
}

/** Whoever took so long that its hold lapsed keeps nothing: another approval may have begun. */
async function keep(context: Context, approval: Approval, prepared: PreparedSigning): Promise<void> {
  await context.database.query.transaction().execute(async (transaction) => {
    if ((await freePayments(transaction, approval)) < approval.payments.length) {
      throw refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', BUSY)
    }
    await insertApproval(transaction, approval)
    await keepSigning(transaction, prepared)
  })
}

function approvalOf(context: Context, caller: ConsentCaller, id: string, payments: readonly HeldPayment[]): Approval {
  return {
    partnerId: caller.partnerId,
    id,
    consentId: caller.consent.id,
    status: 'STARTED',
    createdAt: context.clock.now(),
    payments: payments.map((payment) => ({
      paymentId: payment.id,
      bankPaymentId: payment.bankPaymentId,
      orderDigest: digestOf(payment),
      partlySigned: payment.statusReason === 'PartlySigned',
      result: 'STARTED',
    })),
  }
}
