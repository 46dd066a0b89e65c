/** Withdraws an order that lacks a signature at the end of its due day, or says who has to. */
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { BankCaller, OrdersAtBank } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import { newId } from '../foundation/ids.ts'
import { raiseTask, wasTaskRaised } from '../operators/raise-task.ts'
import { noteWithdrawn } from './find-payments.ts'
import { type HeldPayment, isHeld, type Payment, permits } from './payment.ts'
import { recordStatus } from './record-status.ts'

/** The bank of a payment, and how it is asked without the user. */
export type PaymentAtBank = {
  readonly bank: Bank
  readonly payments: OrdersAtBank
  readonly caller: BankCaller
}

/** Only the bank's word makes it cancelled. What the bank leaves to people is asked of it once. */
export async function withdrawUnsigned(context: Context, at: PaymentAtBank, payment: Payment): Promise<void> {
  const { profile } = at.bank
  const isOver = Temporal.PlainDate.compare(context.clock.today(profile.timeZone), payment.dueDate) > 0
  const lapses = profile.unsignedLifetime === 'due-day'
  if (isOver && lapses) {
    await withdrawOrder(context, at, payment)
  }
}

/** Withdraws an order that lacks a signature, whatever its day; what may not be withdrawn any more is left as it is. */
export async function withdrawOrder(context: Context, at: PaymentAtBank, payment: Payment): Promise<void> {
  const { partnerId, id: subjectId } = payment
  if (!permits(payment, 'withdraw') || !isHeld(payment)) {
    return
  }
  if (await wasTaskRaised(context, { partnerId, kind: 'CannotBeWithdrawn', subjectId })) {
    return
  }
  try {
    await withdraw(context, at, payment)
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    await noteRefused(context, payment, error)
  }
}

async function withdraw(context: Context, { payments, caller }: PaymentAtBank, payment: HeldPayment): Promise<void> {
  const answer = await payments.cancellation.cancel(caller, payment, newId())
  if (answer === 'authorisation-required') {
    await leaveToOperators(context, payment, 'The bank wants its user to sign the withdrawal')
  } else {
    await noteWithdrawn(context, payment)
    const observation = await payments.read(caller, payment, { signed: payment.signed })
    await recordStatus(context, payment, observation)
  }
}

/** A bank that could not be asked is asked again at the next read, which is set already. */
async function noteRefused(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<void> {
  context.log.warn({ paymentId: payment.id, refusal: refusal.kind }, 'an unsigned order could not be withdrawn')
  if (refusal.kind === 'cancellation-refused') {
    await leaveToOperators(context, payment, refusal.message)
  }
}

async function leaveToOperators(context: Context, payment: HeldPayment, text: string): Promise<void> {
  const { partnerId, id: subjectId, bic: bank, bankPaymentId } = payment
  const detail = { bank, bankPaymentId, dueDate: payment.dueDate.toString(), text }
  await raiseTask(context, { partnerId, kind: 'CannotBeWithdrawn', subjectType: 'payment', subjectId, detail })
}
