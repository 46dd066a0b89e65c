/** Settles a payment whose outcome was unknown: by the bank's own word, or by two people who looked there. */
import type { PaymentInitiated } from '../../contract/payments/payment-operations.ts'
import type { PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { keepOutcome } from '../foundation/http/idempotency.ts'
import { settleTask } from '../operators/raise-task.ts'
import { ResolutionRefused } from '../operators/resolve-task.ts'
import { isOutcomeUnknown, type Payment, shownStatus } from '../orders/payment.ts'
import { findIdempotencyKey, findOtherHolder, findPayment } from '../orders/payment-store.ts'
import { contentsOf, isHeldAs } from '../orders/payroll/order-contents.ts'
import { shownPayouts } from '../orders/payroll/render-payroll-transactions.ts'
import { markKnown } from '../orders/status/payment-status-store.ts'
import { recordStatus } from '../orders/status/record-payment-status.ts'
import { atBank, followPayment } from './follow-payment.ts'

const VOID = { move: 'void' } as const

/**
 * Whether the bank holds the order under an id. It is believed only if the bank shows our amount and both accounts
 * there, and if no other payment of ours is that order.
 */
export async function settleByBank(context: Context, payment: Payment, bankPaymentId: string): Promise<boolean> {
  if (!isOutcomeUnknown(payment)) {
    return false
  }
  const held = await readHeld(context, payment, bankPaymentId)
  const other = await findOtherHolder(context.database, payment, bankPaymentId)
  if (other !== undefined || !held.isSame) {
    context.log.warn({ paymentId: payment.id }, 'a bank named an order that is not the one asked about')
    return false
  }
  if (await settleAsTaken(context, payment, bankPaymentId)) {
    const subject = { partnerId: payment.partnerId, kind: 'UnknownOutcome', subjectId: payment.id } as const
    await settleTask(context, subject, `the bank holds the order as ${bankPaymentId}`)
  }
  return true
}

/** Two people say under which id the bank holds the order. A bank that shows another order there is believed. */
export async function settleAsTakenByOperators(
  context: Context,
  payment: Payment,
  bankPaymentId: string,
): Promise<void> {
  await requireNoContradiction(context, payment, bankPaymentId)
  if (!(await settleAsTaken(context, payment, bankPaymentId))) {
    throw new ResolutionRefused('The payment was settled otherwise meanwhile; look at it again')
  }
}

/** Two people say that the bank never took the order. */
export async function settleAsNeverTaken(context: Context, payment: Payment): Promise<void> {
  if (payment.outcome === 'known') {
    throw new ResolutionRefused(`The bank holds the order, as ${payment.bankPaymentId}`)
  }
  const text = 'The bank never took this order; an operator has made sure of it'
  const observation = { status: 'Rejected', statusReason: null, statusReasonText: text, bankStatus: '' } as const
  // Repeated after a death in between, only what is missing is done.
  const recorded = payment.outcome === 'void' ? payment : await recordStatus(context, payment, observation, VOID)
  await keepAnswer(context, recorded)
}

async function requireNoContradiction(context: Context, payment: Payment, bankPaymentId: string): Promise<void> {
  const other = await findOtherHolder(context.database, payment, bankPaymentId)
  if (other !== undefined) {
    throw new ResolutionRefused(`The order ${bankPaymentId} at the bank is another payment already: ${other.id}`)
  }
  const held = await readHeld(context, payment, bankPaymentId).catch((error: unknown) => {
    if (error instanceof BankRefusal && error.kind === 'unavailable') {
      return undefined
    }
    throw error
  })
  if (held !== undefined && !held.isSame) {
    throw new ResolutionRefused('The bank shows another order under this id: amount or accounts differ')
  }
}

/** False when the payment was settled otherwise before. Repeated after a death in between, only what is missing is done. */
async function settleAsTaken(context: Context, payment: Payment, bankPaymentId: string): Promise<boolean> {
  await markKnown(context.database, payment, { bankPaymentId, pollAt: context.clock.now() })
  const known = await findPayment(context.database, payment)
  if (known?.outcome !== 'known' || known.bankPaymentId !== bankPaymentId) {
    return false
  }
  await keepAnswer(context, await followPayment(context, known))
  return true
}

/** Whoever repeats the request under its key is from now on answered with the payment. */
async function keepAnswer(context: Context, payment: Payment): Promise<void> {
  const key = await findIdempotencyKey(context.database, payment)
  if (key !== undefined) {
    const answer = await answerOf(context, payment)
    await keepOutcome({ ...context, pool: context.database.pool }, { partnerId: payment.partnerId, ...key }, answer)
  }
}

async function answerOf(context: Context, payment: Payment): Promise<PaymentInitiated | PayrollInitiated> {
  if (payment.type !== 'Payroll') {
    return { paymentId: payment.id, paymentStatus: shownStatus(payment) }
  }
  const { payrollId } = payment.ordered
  const uncarried = { status: 'Unsigned', at: payment.statusAt } as const
  const { transactions } = await shownPayouts(context, { partnerId: payment.partnerId, payrollId }, uncarried)
  return { payrollId, transactions }
}

/** What the bank holds under an id, compared with what was ordered. */
async function readHeld(
  context: Context,
  payment: Payment,
  bankPaymentId: string,
): Promise<{ readonly isSame: boolean }> {
  const { payments, caller } = await atBank(context, payment)
  const contents = await contentsOf(context, payment)
  const creditorBban = contents.creditorBban ?? payment.creditorBban
  const held = await payments.readOrder(caller, { ...payment, bankPaymentId, creditorBban })
  return { isSame: isHeldAs(payment, contents, held) }
}
