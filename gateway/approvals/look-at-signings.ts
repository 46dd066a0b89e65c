/** Sees to the approvals of a payment that its users may be signing at the bank, so that what they have signed is known. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { findLateSignature } from '../signing/find-late-signature.ts'
import { settleSigning } from '../signing/settle-signing.ts'
import { openStep, type Signing } from '../signing/signing.ts'
import { findAgain } from '../signing/standing.ts'
import { approvalSigning } from './approval-signing.ts'
import { liveSigningsOf, signingsToLookAtLate } from './supersede.ts'

/** False when the bank has not said how one of them stands: a signature may be among them. */
export async function lookAtSignings(context: Context, payment: Payment): Promise<boolean> {
  const signings = await liveSigningsOf(context, payment.partnerId, [payment])
  const begun = signings.filter(({ kind, status }) => kind === 'approval' && status !== 'waiting')
  const ended = await signingsToLookAtLate(context, payment.partnerId, [payment])
  try {
    for (const signing of ended.filter(({ kind }) => kind === 'approval')) {
      await findLateSignature(context, approvalSigning(), signing)
    }
    for (const signing of begun) {
      await settleSigning(context, approvalSigning(), signing)
    }
    return !(await isAnyUnread(context, begun))
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.warn({ paymentId: payment.id, refusal: error.kind }, 'a bank could not say how an approval stands')
      return false
    }
    throw error
  }
}

/** One that has just ended with a step that is open at the bank ended because its time was over, without the bank's word. */
async function isAnyUnread(context: Context, begun: readonly Signing[]): Promise<boolean> {
  const kept = await Promise.all(begun.map((signing) => findAgain(context, signing)))
  return kept.some((signing) => signing.status === 'ended' && openStep(signing) !== undefined)
}
