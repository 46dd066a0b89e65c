/** Withdraws an order that lacks a signature at the end of its due day, or says who has to. */

import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import type { BankCaller, OrdersAtBank } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { raiseTask, wasTaskRaised } from '../operators/raise-task.ts'
import { noteWithdrawn } from '../orders/find-payments.ts'
import { type HeldPayment, isFinalValue, isHeld, type Payment, permits } from '../orders/payment.ts'
import { recordStatus } from '../orders/status/record-payment-status.ts'
import { newBankRequestId } from '../platform/ids.ts'

/** The bank of a payment, and how it is asked without the user. */
export type PaymentAtBank = {
  readonly bank: Bank
  readonly payments: OrdersAtBank
  readonly caller: BankCaller
}

/** What came of asking; `not-now` is asked again. */
export type WithdrawalSaid = 'taken' | 'for-people' | 'gone' | 'not-now'

/** Only the bank's word makes it cancelled. */
export async function withdrawUnsigned(context: Context, at: PaymentAtBank, payment: Payment): Promise<void> {
  const { profile } = at.bank
  const isOver = Temporal.PlainDate.compare(context.clock.today(profile.timeZone), payment.dueDate) > 0
  const lapses = profile.unsignedLifetime === 'due-day'
  if (isOver && lapses && permits(payment, 'withdraw') && isHeld(payment)) {
    await withdrawOrder(context, at, payment)
  }
}

/** Withdraws an order, whatever its day. What the bank leaves to people is asked of it once. */
export async function withdrawOrder(
  context: Context,
  at: PaymentAtBank,
  payment: HeldPayment,
): Promise<WithdrawalSaid> {
  const { partnerId, id: subjectId } = payment
  if (await wasTaskRaised(context, { partnerId, kind: 'CannotBeWithdrawn', subjectId })) {
    return 'for-people'
  }
  try {
    return await withdraw(context, at, payment)
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    return await noteRefused(context, at, payment, error)
  }
}

async function withdraw(context: Context, at: PaymentAtBank, payment: HeldPayment): Promise<WithdrawalSaid> {
  const answer = await at.payments.cancellation.cancel(at.caller, payment, newBankRequestId())
  if (answer === 'authorisation-required') {
    await leaveToOperators(context, payment, 'The bank wants its user to sign the withdrawal')
    return 'for-people'
  }
  await noteWithdrawn(context, payment)
  await read(context, at, payment)
  return 'taken'
}

async function read(context: Context, { payments, caller }: PaymentAtBank, payment: HeldPayment): Promise<Payment> {
  const observation = await payments.read(caller, payment, { signed: payment.signed })
  return await recordStatus(context, payment, observation)
}

/**
 * A bank that could not be asked is asked again at the next read, which is set already. One that refuses may do so because
 * somebody else has had the order withdrawn meanwhile: it is believed once the order was read and has not ended.
 */
async function noteRefused(
  context: Context,
  at: PaymentAtBank,
  payment: HeldPayment,
  refusal: BankRefusal,
): Promise<WithdrawalSaid> {
  context.log.warn({ paymentId: payment.id, refusal: refusal.kind }, 'an unsigned order could not be withdrawn')
  if (refusal.kind !== 'cancellation-refused') {
    return isGone(refusal) ? 'gone' : 'not-now'
  }
  const seen = await read(context, at, payment)
  if (isFinalValue(seen.status)) {
    return 'taken'
  }
  await leaveToOperators(context, payment, refusal.message)
  return 'for-people'
}

async function leaveToOperators(context: Context, payment: HeldPayment, text: string): Promise<void> {
  const { partnerId, id: subjectId, bic: bank, bankPaymentId } = payment
  const detail = { bank, bankPaymentId, dueDate: payment.dueDate.toString(), text }
  await raiseTask(context, { partnerId, kind: 'CannotBeWithdrawn', subjectType: 'payment', subjectId, detail })
}
