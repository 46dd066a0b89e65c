/** Polls expired orders that were resubmitted: one that reappears is cancelled, or an operator task is raised. */

import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { StatusObservation } from '../../banks/connector/order-at-bank.ts'
import type { Context } from '../../context.ts'
import { addBankDays } from '../../countries/bank-days.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import type { Clock } from '../../platform/clock.ts'
import { newBankRequestId } from '../../platform/ids.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { type AcknowledgedPayment, isFinalStatus, type Payment } from '../payment.ts'
import { findPayment } from '../payment-store.ts'
import type { BankAccess } from './cancel-unsigned-order.ts'
import { type ExpiredOrder, findExpiredOrder, scheduleExpiredOrderPoll } from './expired-order-store.ts'
import { requireBankAccess } from './poll-payment.ts'
import { pollTermsOf } from './poll-schedule.ts'

/** Banks recover lost orders within days and execute them within days of their due date. */
const WATCHED_BANK_DAYS = 10
const POLL_INTERVAL = { hours: 24 }

/** Returns the time of the first poll of an expired order. */
export function firstExpiredOrderPoll({ now }: Pick<Clock, 'now'>): Temporal.Instant {
  return now().add(POLL_INTERVAL)
}

/** Polls and schedules the next poll, unless an operator task was raised. */
export async function pollExpiredOrder(context: Context, key: RowKey): Promise<void> {
  const expiredOrder = await findExpiredOrder(context.database, key)
  if (expiredOrder === undefined) {
    return
  }
  const payment = await findPayment(context.database, { partnerId: expiredOrder.partnerId, id: expiredOrder.paymentId })
  const isReported = payment === undefined || (await checkExpiredOrder(context, payment, expiredOrder))
  const pollAt = isReported || (await isOver(context, payment)) ? null : firstExpiredOrderPoll(context.clock)
  await scheduleExpiredOrderPoll(context.database, expiredOrder, pollAt)
}

async function isOver(context: Context, payment: Payment): Promise<boolean> {
  const { calendars, timeZone } = pollTermsOf(await context.banks.find(payment.bic))
  const watchedUntil = addBankDays(calendars, payment.dueDate, WATCHED_BANK_DAYS)
  return Temporal.PlainDate.compare(context.clock.today(timeZone), watchedUntil) > 0
}

/** Whether an operator task was raised. An operator may also have identified the payment with this very order. */
async function checkExpiredOrder(
  context: Context,
  payment: Payment,
  { bankPaymentId }: ExpiredOrder,
): Promise<boolean> {
  if (payment.bankPaymentId === bankPaymentId) {
    return false
  }
  const expiredOrder = { ...payment, bankPaymentId }
  try {
    const at = await requireBankAccess(context, payment)
    const observation = await at.payments.read(at.caller, expiredOrder, { signed: false })
    return await cancelOrRaiseTask(context, at, expiredOrder, observation)
  } catch (error) {
    if (error instanceof BankError) {
      context.log.info(
        { paymentId: payment.id, errorKind: error.kind },
        'an expired order could not be read at its bank',
      )
      return false
    }
    throw error
  }
}

async function cancelOrRaiseTask(
  context: Context,
  at: BankAccess,
  expiredOrder: AcknowledgedPayment,
  { status, bankStatus }: StatusObservation,
): Promise<boolean> {
  const isDead = status !== null && status !== 'Completed' && isFinalStatus(status)
  if (isDead || (status === 'Unsigned' && (await isCancelledAtBank(at, expiredOrder)))) {
    return false
  }
  const { partnerId, id: subjectId, bic: bank, bankPaymentId } = expiredOrder
  const detail = { bank, formerBankPaymentId: bankPaymentId, status: status ?? 'unknown', bankStatus }
  await raiseTask(context, { partnerId, kind: 'TwoOrdersAtBank', subjectType: 'payment', subjectId, detail })
  return true
}

/** Throws when the bank is not available; the next poll tries again. */
async function isCancelledAtBank(
  { payments, caller }: BankAccess,
  expiredOrder: AcknowledgedPayment,
): Promise<boolean> {
  try {
    return (await payments.cancellation.cancel(caller, expiredOrder, newBankRequestId())) === 'accepted'
  } catch (error) {
    if (isBankError(error, 'cancellation-rejected')) {
      return false
    }
    throw error
  }
}
