/** Withdraws at its bank the order of an exchange that nobody signed in time; what the bank shows after that decides. */
import { BankRefusal, isGone } from '../../banks/connector/bank-error.ts'
import { callerAtBank } from '../../consents/caller-at-bank.ts'
import { liveConsentOf } from '../../consents/find-consent.ts'
import { withLiveTokens } from '../../consents/with-live-tokens.ts'
import type { Context } from '../../context.ts'
import { raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { noteWithdrawn } from '../../orders/find-payments.ts'
import { isHeld, type Payment } from '../../orders/payment.ts'
import { newBankRequestId } from '../../platform/ids.ts'
import { followPayment, servedAt } from '../follow-payment.ts'
import { recordExchange } from './record-exchange-state.ts'

/** What the bank said to the withdrawal. */
type Withdrawal = 'taken' | 'not-possible' | 'unanswered'

const TOO_LATE = 'It was not signed before its deadline; the bank does not let the order be withdrawn'

/** A signature that was given in time has shown by then, at banks whose status comes after the signature. */
const SHOWS_WITHIN = { seconds: 30 }

/** The payment as it is then, and when it wants another look; null where that is as usual. */
export type Withdrawn = { readonly payment: Payment; readonly lookAt: Temporal.Instant | null }

/** Still awaited when the bank has not shown yet what came of it. */
export async function withdrawAtDeadline(context: Context, payment: Payment): Promise<Withdrawn> {
  const withdrawal = await withdraw(context, payment)
  if (withdrawal === 'unanswered') {
    return { payment, lookAt: null }
  }
  // A signature may have been quicker: the bank's word stands.
  const read = await followPayment(context, payment)
  const isStillThere = read.exchange === 'awaited' && wasReadAnew(payment, read)
  if (withdrawal !== 'not-possible' || !isStillThere) {
    return { payment: read, lookAt: null }
  }
  // It may be refused because it is signed: that counts as unsigned only once a signature would have shown.
  const showsBy = (payment.deadlineAt ?? payment.statusAt).add(SHOWS_WITHIN)
  return Temporal.Instant.compare(context.clock.now(), showsBy) < 0
    ? { payment: read, lookAt: showsBy }
    : { payment: await leaveAtBank(context, read), lookAt: null }
}

/**
 * Withdraws an order whose exchange was undone while nobody could read its bank. True when that is done, or is for people
 * to do; false to try again.
 */
export async function withdrawUndone(context: Context, payment: Payment): Promise<boolean> {
  const { partnerId, id: subjectId } = payment
  const isForPeople = await wasTaskRaised(context, { partnerId, kind: 'CannotBeWithdrawn', subjectId })
  if (!isHeld(payment) || isForPeople) {
    return true
  }
  const withdrawal = await withdraw(context, payment)
  if (withdrawal === 'not-possible') {
    await tellPeople(context, payment)
  } else if (withdrawal === 'taken') {
    await followPayment(context, payment)
  }
  return withdrawal !== 'unanswered'
}

/** Undone all the same: what comes of an order that the bank keeps is sent back. */
async function leaveAtBank(context: Context, payment: Payment): Promise<Payment> {
  await tellPeople(context, payment)
  return await recordExchange(context, payment, 'unwithdrawn', TOO_LATE)
}

async function tellPeople(context: Context, payment: Payment): Promise<void> {
  const { partnerId, id: subjectId, bic: bank, bankPaymentId } = payment
  const detail = { bank, bankPaymentId, deadline: payment.deadlineAt?.toString() ?? null, text: TOO_LATE }
  await raiseTask(context, { partnerId, kind: 'CannotBeWithdrawn', subjectType: 'payment', subjectId, detail })
}

/** Withdrawing an order twice withdraws it once. One that is gone was withdrawn, be it by whoever was quicker. */
async function withdraw(context: Context, payment: Payment): Promise<Withdrawal> {
  if (!isHeld(payment)) {
    return 'unanswered'
  }
  if (payment.withdrawnAt !== null) {
    return 'taken'
  }
  try {
    const { bank, payments } = await servedAt(context, payment)
    const consent = await liveConsentOf(context, payment)
    if (consent === undefined) {
      return 'unanswered'
    }
    const { partnerId, id: paymentId } = payment
    const answer = await withLiveTokens(context, { partnerId, consentId: consent.id, paymentId }, async () => {
      const caller = await callerAtBank(context, { bank, consent, psu: null, paymentId })
      return await payments.cancellation.cancel(caller, payment, newBankRequestId())
    })
    if (answer === 'accepted') {
      await noteWithdrawn(context, payment)
    }
    return answer === 'accepted' ? 'taken' : 'not-possible'
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    context.log.warn({ paymentId: payment.id, refusal: error.kind }, 'an order past its deadline was not withdrawn')
    if (error.kind === 'cancellation-refused') {
      return 'not-possible'
    }
    if (!isGone(error)) {
      return 'unanswered'
    }
    await noteWithdrawn(context, payment)
    return 'taken'
  }
}

/** Whether the bank was read once more, after it had answered. */
function wasReadAnew(before: Payment, after: Payment): boolean {
  return after !== before && after.unreadSince === null
}
