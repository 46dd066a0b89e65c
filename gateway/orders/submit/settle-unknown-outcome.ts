/** Settles a payment with an unknown outcome: by the bank's own report or by two operators. */

import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import type { PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { OrderShownByBank } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { paymentTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { TaskResolutionError } from '../../operators/resolve-task.ts'
import { mapYieldingToEventLoop } from '../../platform/concurrency.ts'
import { storeLateOutcome } from '../../platform/http/idempotency/idempotency.ts'
import { transactionsOf } from '../instruction.ts'
import { type OrderContents, orderContentsOf } from '../parse/stored-order.ts'
import { isOutcomeUnknown, type Payment, renderPaymentStatus } from '../payment.ts'
import { renderPayrollTransaction } from '../payroll.ts'
import { withBankAccess } from '../status/bank-access.ts'
import { pollPayment } from '../status/poll-payment.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { isExpiredOrderOf } from '../store/expired-order-store.ts'
import { writeAcknowledgedOutcome } from '../store/payment-status-store.ts'
import { findIdempotencyKey, findOtherPaymentAtBank, findPayment } from '../store/payment-store.ts'
import { listPayrollTransactionRows } from '../store/payroll-transaction-store.ts'

const VOID = { move: 'void' } as const

/**
 * Returns whether the bank holds the order under an id. The id counts only if the bank shows the same amount and both
 * accounts for it and no other payment has that order. An expired order of the payment never settles its resubmission:
 * the bank notifies of its cancellation, which comes just before.
 */
export async function settleByBankOrder(context: Context, payment: Payment, bankPaymentId: string): Promise<boolean> {
  if (!isOutcomeUnknown(payment) || (await isExpiredOrderOf(context.database, payment, bankPaymentId))) {
    return false
  }
  const isSame = await isOrderAtBank(context, payment, bankPaymentId)
  const other = await findOtherPaymentAtBank(context.database, payment, bankPaymentId)
  if (other !== undefined || !isSame) {
    context.log.warn({ paymentId: payment.id }, 'a notification named a bank order that does not match the payment')
    return false
  }
  if (await settleAsAcknowledged(context, payment, bankPaymentId)) {
    await resolveTaskAutomatically(
      context,
      paymentTask(payment, 'UnknownOutcome'),
      `the bank holds the order as ${bankPaymentId}`,
    )
  }
  return true
}

/**
 * Records the id that two operators found at the bank. Throws `TaskResolutionError` when the bank shows another order
 * there.
 */
export async function settleAsAcknowledgedByOperators(
  context: Context,
  payment: Payment,
  bankPaymentId: string,
): Promise<void> {
  await requireNoContradiction(context, payment, bankPaymentId)
  if (!(await settleAsAcknowledged(context, payment, bankPaymentId))) {
    throw new TaskResolutionError('The payment was settled differently meanwhile; check it again')
  }
}

/** Records that the bank never accepted the order, as found by two operators. Throws `TaskResolutionError` if it did. */
export async function settleAsNeverAcknowledged(context: Context, payment: Payment): Promise<void> {
  if (payment.outcome === 'known') {
    throw new TaskResolutionError(`The bank holds the order under the id ${payment.bankPaymentId}`)
  }
  const text = 'The bank never accepted this order; operators have verified this'
  const observation = { status: 'Rejected', statusReason: null, statusReasonText: text, bankStatus: '' } as const
  // Can be repeated after a crash: only the missing steps are executed.
  const recorded = payment.outcome === 'void' ? payment : await recordPaymentStatus(context, payment, observation, VOID)
  await storeIdempotentAnswer(context, recorded)
}

async function requireNoContradiction(context: Context, payment: Payment, bankPaymentId: string): Promise<void> {
  const other = await findOtherPaymentAtBank(context.database, payment, bankPaymentId)
  if (other !== undefined) {
    throw new TaskResolutionError(`The bank's order ${bankPaymentId} belongs to another payment: ${other.id}`)
  }
  const mayBeSame = await isOrderAtBank(context, payment, bankPaymentId).catch((error: unknown) => {
    if (isBankError(error, 'unavailable')) {
      return true
    }
    throw error
  })
  if (!mayBeSame) {
    throw new TaskResolutionError('The bank shows another order under this id: amount or accounts differ')
  }
}

/** Returns false when the payment was settled differently before. Can be repeated after a crash. */
async function settleAsAcknowledged(context: Context, payment: Payment, bankPaymentId: string): Promise<boolean> {
  await writeAcknowledgedOutcome(context.database, payment, { bankPaymentId, pollAt: context.clock.now() })
  const known = await findPayment(context.database, payment)
  if (known?.outcome !== 'known' || known.bankPaymentId !== bankPaymentId) {
    return false
  }
  await storeIdempotentAnswer(context, await pollPayment(context, known))
  return true
}

/** Stores the answer that repetitions with the idempotency key get from now on. */
async function storeIdempotentAnswer(context: Context, payment: Payment): Promise<void> {
  const key = await findIdempotencyKey(context.database, payment)
  if (key !== undefined) {
    const answer = await answerOf(context, payment)
    await storeLateOutcome(
      { ...context, pool: context.database.pool },
      { partnerId: payment.partnerId, ...key },
      answer,
    )
  }
}

/** What the request is answered with now. */
async function answerOf({ database }: Context, payment: Payment): Promise<PaymentInitiated | PayrollInitiated> {
  const key = transactionsOf(payment)
  if (key === undefined) {
    return { paymentId: payment.id, paymentStatus: renderPaymentStatus(payment) }
  }
  const transactions = await listPayrollTransactionRows(database, key)
  return {
    payrollId: key.payrollId,
    transactions: await mapYieldingToEventLoop(transactions, renderPayrollTransaction),
  }
}

/** Whether the bank's order under an id is that of the payment. */
async function isOrderAtBank(context: Context, payment: Payment, bankPaymentId: string): Promise<boolean> {
  const contents = await orderContentsOf(context, payment)
  const creditorBban = contents.creditorBban ?? payment.creditorBban
  const bankOrder = await withBankAccess(context, payment, ({ payments, caller }) =>
    payments.readOrder(caller, { ...payment, bankPaymentId, creditorBban }),
  )
  return matchesBankOrder(payment, contents, bankOrder)
}

/** By amount, debtor account and creditor or number of transactions. */
function matchesBankOrder(
  { debtorBban }: Pick<Payment, 'debtorBban'>,
  { amount, creditorBban, bulk }: OrderContents,
  bankOrder: OrderShownByBank,
): boolean {
  const hasAmount = bankOrder.amount?.minor === amount.minor && bankOrder.amount.currency === amount.currency
  const hasCreditor =
    bulk === null
      ? bankOrder.creditorBban === creditorBban
      : bankOrder.bulk?.count === bulk.count &&
        (bankOrder.bulk.bulkId === null || bankOrder.bulk.bulkId === bulk.bulkId)
  return hasAmount && bankOrder.debtorBban === debtorBban && hasCreditor
}
