/** Completes an approval: records the result of each payment, and polls those whose authorisation was started. */

import type { ApprovalStatus } from '../../../contract/approvals.ts'
import { approvalEventTypes } from '../../../contract/webhooks/event-types.ts'
import type { ScaOutcome, ScaSession } from '../../authorisations/sca-session.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { enqueueSelectedEvents } from '../../webhooks/events/enqueue-selected-events.ts'
import { findOrdersOf } from '../find-orders.ts'
import { instructionOf } from '../instruction.ts'
import type { Payment } from '../payment.ts'
import { pollPayment, recordUserSignature, restartPolling } from '../status/poll-payment.ts'
import {
  type Approval,
  approvalResultOf,
  isUnchanged,
  outcomeByStatus,
  scaTargetIdOf,
  statusByOutcome,
  statusOfResults,
} from './approval.ts'
import { endApproval, findApproval } from './approval-store.ts'
import { deleteBasketsOfApproval } from './baskets/bank-basket.ts'
import { changeBasketState } from './baskets/basket-store.ts'
import { findUnacceptedItems } from './baskets/find-unaccepted-items.ts'

type Results = ReadonlyMap<string, ApprovalStatus>

/** Polled while the user waits; the sweep polls the rest of a large basket. */
const POLLED_AT_ONCE_MAX = 10

/** Idempotent. A payment that has changed since the user saw it voids the whole approval, whatever was signed. */
export async function completeApproval(
  context: Context,
  approval: Approval,
  session: ScaSession,
  outcome: ScaOutcome,
): Promise<ScaOutcome> {
  const payments = await findOrdersOf(context, approval.partnerId, approval.payments)
  const areUnchanged = await Promise.all(
    approval.payments.map(async (approved, n) => {
      const payment = payments[n]
      return payment !== undefined && (await isUnchanged(context.digest, approved, payment))
    }),
  )
  const isVoid = areUnchanged.includes(false)
  const bySteps = resultsBySteps(approval, session)
  const signed = payments.filter(({ id }, n) => {
    const wasToSign = approval.payments[n]?.result !== 'ACCEPTED'
    return wasToSign && bySteps.get(id) === 'ACCEPTED'
  })
  await recordSignedBaskets(context, approval, bySteps)
  const unacceptedById = await findUnacceptedItems(context, approval, signed)
  const accepted = signed.filter(({ id }) => !unacceptedById.has(id))
  for (const payment of accepted) {
    await recordUserSignature(context, payment)
  }
  const results: Results = new Map([...bySteps, ...unacceptedById])
  const resultByPayment: Results = isVoid
    ? new Map(approval.payments.map(({ paymentId }) => [paymentId, 'CANCELLED']))
    : results
  // The signature applies only to those payments for which the bank accepted it.
  const signedStatus = outcome === 'success' ? statusOfResults([...unacceptedById.values()]) : statusByOutcome[outcome]
  const status = isVoid ? 'CANCELLED' : signedStatus
  const isEnded = await recordApprovalEnd(context, approval, { status, resultByPayment, payments })
  await deleteBasketsOfApproval(context, { partnerId: approval.partnerId, approvalId: approval.id })
  const failed = payments.filter(
    (payment) => !signed.includes(payment) && wasAuthorisationStarted(approval, session, payment),
  )
  await pollNow(context, { accepted, failed })
  const stored = isEnded ? undefined : await findApproval(context.database, approval)
  return outcomeByStatus[stored?.status ?? status]
}

/** The result of each payment by its SCA step; SCA-exempt payments have none and are accepted. */
function resultsBySteps(approval: Approval, { steps }: ScaSession): Results {
  const stepByTarget = new Map(steps.map((step) => [step.targetId, step]))
  return new Map(
    approval.payments.map((approved) => {
      const step = stepByTarget.get(scaTargetIdOf(approved))
      return [
        approved.paymentId,
        step === undefined && approved.result === 'ACCEPTED' ? 'ACCEPTED' : approvalResultOf(step),
      ]
    }),
  )
}

/** The bank does not delete a signed basket, and further users sign the same basket. */
async function recordSignedBaskets(
  context: Context,
  { partnerId, payments }: Approval,
  results: Results,
): Promise<void> {
  const signed = payments.filter(({ paymentId }) => results.get(paymentId) === 'ACCEPTED')
  const ids = new Set(signed.flatMap(({ basketId }) => (basketId === null ? [] : [basketId])))
  for (const id of ids) {
    await changeBasketState(context.database, { partnerId, id }, { state: 'signed', dueAt: null })
  }
}

/** Some banks reject an order whose authorisation failed; if none was started, polling would find nothing new. */
function wasAuthorisationStarted({ payments }: Approval, { steps }: ScaSession, { id }: Payment): boolean {
  const approved = payments.find(({ paymentId }) => paymentId === id)
  const step = approved && steps.find(({ targetId }) => targetId === scaTargetIdOf(approved))
  return typeof step?.authorisationId === 'string'
}

/** The user should find the new status when back at the partner; the sweep polls the rest. */
async function pollNow(
  context: Context,
  { accepted, failed }: { readonly accepted: readonly Payment[]; readonly failed: readonly Payment[] },
): Promise<void> {
  const all = [...accepted.map((payment) => ({ ...payment, signed: true })), ...failed]
  await Promise.all(all.slice(0, POLLED_AT_ONCE_MAX).map((payment) => pollPayment(context, payment)))
  const later = failed.filter((payment) => all.indexOf(payment) >= POLLED_AT_ONCE_MAX)
  await Promise.all(later.map((payment) => restartPolling(context, payment)))
}

/** Records a signature that was given after the approval had ended. Skips orders that were resubmitted since: they were not signed. */
export async function recordLateSignature(context: Context, approval: Approval, targetId: string): Promise<void> {
  const signed = approval.payments.filter((approved) => scaTargetIdOf(approved) === targetId)
  const bankIds = new Set(signed.map(({ bankPaymentId }) => bankPaymentId))
  for (const payment of await findOrdersOf(context, approval.partnerId, signed)) {
    if (payment.bankPaymentId !== null && bankIds.has(payment.bankPaymentId)) {
      await recordUserSignature(context, payment)
      await pollPayment(context, { ...payment, signed: true })
    }
  }
}

/** What an approval ends with, and the orders that it approved. */
type ApprovalEnd = {
  readonly status: ApprovalStatus
  readonly resultByPayment: ReadonlyMap<string, ApprovalStatus>
  readonly payments: readonly Payment[]
}

/** Returns false if it had ended before. */
async function recordApprovalEnd(
  context: Context,
  approval: Approval,
  { status, resultByPayment, payments }: ApprovalEnd,
): Promise<boolean> {
  const { partnerId, id: approvalId, status: previousStatus } = approval
  return await inTransaction(context, async (context) => {
    const at = context.clock.now()
    const isEnded = await endApproval(context.database, approval, { status, resultByPayment, at })
    if (isEnded && status !== 'STARTED') {
      const subject = payments.map(instructionOf)[0]?.subject ?? 'payments'
      const data = { approvalId, subject, previousStatus, status } as const
      const change = { type: approvalEventTypes[status], subjectId: approvalId, data }
      await enqueueSelectedEvents(context.database, { partnerId, at }, [change])
    }
    return isEnded
  })
}
