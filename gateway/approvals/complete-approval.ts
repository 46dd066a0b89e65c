/** Takes the end of an approval: each payment its result, and those that its bank was asked to have signed are read at once. */
import type { ApprovalStatus } from '../../contract/approvals.ts'
import type { Context } from '../context.ts'
import { findOrdersOf, noteSigned } from '../orders/find-payments.ts'
import type { Payment } from '../orders/payment.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { readNext } from '../payments/postpone-reading.ts'
import type { Signing, SigningOutcome } from '../signing/signing.ts'
import {
  type Approval,
  isUnchanged,
  outcomeAfter,
  resultOf,
  statusAfter,
  statusOfResults,
  targetOf,
} from './approval.ts'
import { endApproval, findApproval } from './approval-store.ts'
import { noteBasketSigned } from './baskets/basket-store.ts'
import { dropBasketsOf } from './drop-basket.ts'
import { heldBack } from './held-back.ts'

type Results = ReadonlyMap<string, ApprovalStatus>

/** So many are read while the user waits; the sweep reads the others of a large basket in the same moment. */
const FOLLOWED_AT_ONCE_MAX = 10

/** Repeating it changes nothing. A payment that is not what the user saw voids the approval, whatever was signed. */
export async function endWithOutcome(
  context: Context,
  approval: Approval,
  signing: Signing,
  outcome: SigningOutcome,
): Promise<SigningOutcome> {
  const ids = approval.payments.map(({ paymentId }) => paymentId)
  const payments = await findOrdersOf(context, approval.partnerId, ids)
  const isVoid = approval.payments.some((approved, n) => changed(approved, payments[n]))
  const bySteps = resultsBySteps(approval, signing)
  const signed = payments.filter(({ id }, n) => {
    const wasToSign = approval.payments[n]?.result !== 'ACCEPTED'
    return wasToSign && bySteps.get(id) === 'ACCEPTED'
  })
  await noteSignedBaskets(context, approval, bySteps)
  const heldBackById = await heldBack(context, approval, signed)
  const taken = signed.filter(({ id }) => !heldBackById.has(id))
  for (const payment of taken) {
    await noteSigned(context, payment)
  }
  const results: Results = new Map([...bySteps, ...heldBackById])
  const resultByPayment: Results = isVoid ? new Map(ids.map((id) => [id, 'CANCELLED'])) : results
  const status = isVoid ? 'CANCELLED' : endStatus(outcome, heldBackById)
  await endApproval(context.database, approval, { status, resultByPayment, at: context.clock.now() })
  await dropBasketsOf(context, { partnerId: approval.partnerId, approvalId: approval.id })
  const failed = payments.filter((payment) => !signed.includes(payment) && wasBegun(approval, signing, payment))
  await followNow(context, { taken, failed })
  const kept = await findApproval(context.database, approval)
  return outcomeAfter(kept?.status ?? status)
}

/** What each payment comes to by the step that signs it, alone or in its basket; its bank wants no signature on some. */
function resultsBySteps(approval: Approval, { steps }: Signing): Results {
  const stepByTarget = new Map(steps.map((step) => [step.targetId, step]))
  return new Map(
    approval.payments.map((approved) => {
      const step = stepByTarget.get(targetOf(approved))
      return [approved.paymentId, step === undefined && approved.result === 'ACCEPTED' ? 'ACCEPTED' : resultOf(step)]
    }),
  )
}

/** From then on the bank does not untie them, and whoever signs after this user signs the same basket. */
async function noteSignedBaskets(context: Context, { partnerId, payments }: Approval, results: Results): Promise<void> {
  const signed = payments.filter(({ paymentId }) => results.get(paymentId) === 'ACCEPTED')
  const ids = new Set(signed.flatMap(({ basketId }) => (basketId === null ? [] : [basketId])))
  for (const id of ids) {
    await noteBasketSigned(context.database, { partnerId, id })
  }
}

/** A signature counts for what the bank took it for, be it less than the user signed. */
function endStatus(outcome: SigningOutcome, heldBackById: Results): ApprovalStatus {
  const status = statusAfter(outcome)
  return status === 'ACCEPTED' ? statusOfResults([...heldBackById.values()]) : status
}

function changed(approved: Approval['payments'][number], payment: Payment | undefined): boolean {
  return payment === undefined || !isUnchanged(approved, payment)
}

/** Some banks reject an order whose authorisation failed; where none began, the bank has nothing new to say. */
function wasBegun({ payments }: Approval, { steps }: Signing, { id }: Payment): boolean {
  const approved = payments.find(({ paymentId }) => paymentId === id)
  const step = approved && steps.find(({ targetId }) => targetId === targetOf(approved))
  return typeof step?.authorisationId === 'string'
}

/** The user should find the new status when back at the partner; if the bank is slow, the sweep goes on. */
async function followNow(
  context: Context,
  { taken, failed }: { readonly taken: readonly Payment[]; readonly failed: readonly Payment[] },
): Promise<void> {
  const all = [...taken.map((payment) => ({ ...payment, signed: true })), ...failed]
  await Promise.all(all.slice(0, FOLLOWED_AT_ONCE_MAX).map((payment) => followPayment(context, payment)))
  const later = failed.filter((payment) => all.indexOf(payment) >= FOLLOWED_AT_ONCE_MAX)
  await Promise.all(later.map((payment) => readNext(context, payment)))
}
