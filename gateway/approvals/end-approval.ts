/** Takes the end of an approval: each payment its result, and the signed ones are followed at once. */
import type { ApprovalStatus } from '../../contract/approvals.ts'
import type { Context } from '../context.ts'
import { findPaymentsOf, noteSigned } from '../payments/find-payments.ts'
import { followPayment } from '../payments/follow-payment.ts'
import type { Payment } from '../payments/payment.ts'
import type { Signing, SigningOutcome } from '../signing/signing.ts'
import { isSigned } from '../signing/signing.ts'
import { type Approval, isUnchanged, outcomeAfter, resultOf, statusAfter } from './approval.ts'
import { endApproval, findApproval } from './approval-store.ts'

/** Repeating it changes nothing. A payment that is not what the user saw voids the approval, whatever was signed. */
export async function endWithOutcome(
  context: Context,
  approval: Approval,
  signing: Signing,
  outcome: SigningOutcome,
): Promise<SigningOutcome> {
  const payments = await findPaymentsOf(
    context,
    approval.partnerId,
    approval.payments.map(({ paymentId }) => paymentId),
  )
  const isVoid = approval.payments.some((approved, n) => changed(approved, payments[n]))
  const stepByTarget = new Map(signing.steps.map((step) => [step.targetId, step]))
  const resultByPayment = new Map<string, ApprovalStatus>(
    payments.map(({ id }) => [id, isVoid ? 'CANCELLED' : resultOf(stepByTarget.get(id))]),
  )
  const signed = payments.filter(({ id }) => {
    const step = stepByTarget.get(id)
    return step !== undefined && isSigned(step)
  })
  for (const payment of signed) {
    await noteSigned(context, payment)
  }
  const status = isVoid ? 'CANCELLED' : statusAfter(outcome)
  await endApproval(context.database, approval, { status, resultByPayment, at: context.clock.now() })
  await Promise.all(signed.map((payment) => followNow(context, payment)))
  const kept = await findApproval(context.database, approval)
  return outcomeAfter(kept?.status ?? status)
}

function changed(approved: Approval['payments'][number], payment: Payment | undefined): boolean {
  return payment === undefined || !isUnchanged(approved, payment)
}

/** The user should find the new status when back at the partner; if the bank is slow, the sweep goes on. */
async function followNow(context: Context, payment: Payment): Promise<void> {
  await followPayment(context, { ...payment, signed: true })
}
