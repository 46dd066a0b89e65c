/** Cancels the orders of a failed payroll at its bank. */
import { BankError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import { findScaExemptPayments, listPayrollOrders } from '../find-orders.ts'
import {
  type AcknowledgedPayment,
  hasEndedUnpaid,
  isAcknowledged,
  isOutcomeUnknown,
  type Payment,
  permits,
} from '../payment.ts'
import type { Payroll } from '../payroll.ts'
import type { PayrollKey } from '../payroll-order.ts'
import { withBankAccess } from '../status/bank-access.ts'
import { requestBankCancellation } from '../status/cancel-unsigned-order.ts'
import { pollPayment } from '../status/poll-payment.ts'
import { isExpiryConfirmable } from '../status/record-expiry.ts'
import { recordBankCancellation } from '../store/expired-order-store.ts'
import { listReservedOrderIds } from '../store/payroll-submission-store.ts'

/** Leaves capacity of the bank's rate limit for waiting users. */
const ORDERS_AT_ONCE = 4

/** How many orders of a payroll are not cancelled. */
export type OrdersLeftAtBank = {
  /** Their outcome is unknown. */
  readonly unknown: number
  /** Their cancellation is retried. */
  readonly open: number
  /** They may be paid: the open ones, those that need an operator, and those in progress or executed. */
  readonly there: number
}

/** Skips orders that a user is signing or cancelling. */
export async function cancelPayrollOrders(context: Context, payroll: Payroll): Promise<OrdersLeftAtBank> {
  const key = { partnerId: payroll.partnerId, payrollId: payroll.id }
  const reservedIds = await listReservedOrderIds(context.database, payroll, context.clock.real())
  const needingOperator = new Set<string>()
  const free = (await findOrdersToCancel(context, key)).toCancel.filter(({ id }) => !reservedIds.has(id))
  await mapWithConcurrency(free, ORDERS_AT_ONCE, async (order) => {
    if (await needsOperator(context, order)) {
      needingOperator.add(order.id)
    }
  })
  const { unknown, toCancel, there } = await findOrdersToCancel(context, key)
  const open = toCancel.filter(({ id }) => !needingOperator.has(id))
  return { unknown: unknown.length, open: open.length, there: there.length }
}

/** Whether the bank rejected the cancellation, so that an operator must act. An unreachable bank is retried. */
async function needsOperator(context: Context, order: AcknowledgedPayment): Promise<boolean> {
  if (order.cancellationAcceptedAt !== null) {
    // The bank accepted the cancellation and does not report it yet.
    await pollPayment(context, order)
    return false
  }
  try {
    const answer = await withBankAccess(context, order, (at) => requestBankCancellation(context, at, order))
    if (answer === 'gone') {
      await recordGoneOrder(context, order)
    }
    return answer === 'for-people'
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    context.log.warn(
      { paymentId: order.id, errorKind: error.kind },
      'an order of a payroll could not be cancelled at the bank yet',
    )
    return false
  }
}

/** An expired order counts as cancelled once the expiry is certain: it is not submitted again. */
async function recordGoneOrder(context: Context, order: AcknowledgedPayment): Promise<void> {
  const now = context.clock.now()
  if (isExpiryConfirmable(order, now)) {
    await recordBankCancellation(context, order)
    await pollPayment(context, { ...order, cancellationAcceptedAt: now })
  } else {
    await pollPayment(context, order)
  }
}

/** The orders of a cancelled payroll, by the remaining work. */
type OrdersToCancel = {
  /** Orders with an unknown outcome, which must be settled first. */
  readonly unknown: readonly Payment[]
  /** Acknowledged orders that are not fully signed, or that the bank accepted without a signature. */
  readonly toCancel: readonly AcknowledgedPayment[]
  /** Acknowledged orders that have not ended unpaid. */
  readonly there: readonly AcknowledgedPayment[]
}

/** Signed orders are the user's decision and are not cancelled. */
async function findOrdersToCancel(context: Context, key: PayrollKey): Promise<OrdersToCancel> {
  const orders = await listPayrollOrders(context, key)
  const scaExempt = await findScaExemptPayments(context, key.partnerId, orders)
  const there = orders.filter((order) => isAcknowledged(order)).filter((order) => !hasEndedUnpaid(order))
  const isOpen = (order: Payment) => permits(order, 'cancel') && (!order.signed || scaExempt.has(order.id))
  return { unknown: orders.filter(isOutcomeUnknown), toCancel: there.filter(isOpen), there }
}
