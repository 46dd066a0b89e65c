/** Polls expired orders that were resubmitted: one that reappears is cancelled, or an operator task is raised. */

import { BankError } from '../../banks/connector/bank-error.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { addBankDays } from '../../countries/bank-days.ts'
import { paymentTask, raiseTask } from '../../operators/raise-task.ts'
import type { Clock } from '../../platform/clock.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { type AcknowledgedPayment, isFinalStatus, type Payment } from '../payment.ts'
import { type ExpiredOrder, findExpiredOrder, scheduleExpiredOrderPoll } from '../store/expired-order-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { type BankAccess, withBankAccess } from './bank-access.ts'
import { cancelAtBank } from './cancel-at-bank.ts'
import { pollTermsOf } from './poll-schedule.ts'

/** Banks recover lost orders within days and execute them within days of their due date. */
const WATCHED_BANK_DAYS = 10
const POLL_INTERVAL = { hours: 24 }
/** After a failed poll: an order that was signed may be executed today. */
const RETRY_INTERVAL = { minutes: 10 }

/** Whether an operator task was raised, or the order could not be read. */
type PollResult = 'checked' | 'task raised' | 'unread'

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
  const pollAt = payment === undefined ? null : await nextPollOf(context, payment, expiredOrder)
  await scheduleExpiredOrderPoll(context.database, expiredOrder, pollAt)
}

async function nextPollOf(
  context: Context,
  payment: Payment,
  expiredOrder: ExpiredOrder,
): Promise<Temporal.Instant | null> {
  const result = await checkExpiredOrder(context, payment, expiredOrder)
  if (result === 'task raised' || (await isOver(context, payment))) {
    return null
  }
  return context.clock.now().add(result === 'unread' ? RETRY_INTERVAL : POLL_INTERVAL)
}

async function isOver(context: Context, payment: Payment): Promise<boolean> {
  const { calendars, timeZone } = pollTermsOf(await context.banks.find(payment.bic))
  const watchedUntil = addBankDays(calendars, payment.dueDate, WATCHED_BANK_DAYS)
  return Temporal.PlainDate.compare(context.clock.today(timeZone), watchedUntil) > 0
}

/** An operator may have identified the payment with this very order. */
async function checkExpiredOrder(
  context: Context,
  payment: Payment,
  { bankPaymentId }: ExpiredOrder,
): Promise<PollResult> {
  if (payment.bankPaymentId === bankPaymentId) {
    return 'checked'
  }
  const expiredOrder = { ...payment, bankPaymentId }
  try {
    return await withBankAccess(context, payment, async (at) => {
      const observation = await at.payments.read(at.caller, expiredOrder, { signed: false })
      return await cancelOrRaiseTask(context, at, expiredOrder, observation)
    })
  } catch (error) {
    if (error instanceof BankError) {
      context.log.info(
        { paymentId: payment.id, errorKind: error.kind },
        'an expired order could not be read at its bank',
      )
      return 'unread'
    }
    throw error
  }
}

async function cancelOrRaiseTask(
  context: Context,
  at: BankAccess,
  expiredOrder: AcknowledgedPayment,
  { status, bankStatus }: StatusObservation,
): Promise<PollResult> {
  const isDead = status !== null && status !== 'Completed' && isFinalStatus(status)
  // Throws when the bank is not available; the next poll tries again.
  const cancellation = !isDead && status === 'Unsigned' ? await cancelAtBank(at, expiredOrder) : undefined
  if (isDead || cancellation?.answer === 'accepted' || cancellation?.answer === 'gone') {
    return 'checked'
  }
  const { bic: bank, bankPaymentId: formerBankPaymentId } = expiredOrder
  const detail = { bank, formerBankPaymentId, status: status ?? 'unknown', bankStatus }
  await raiseTask(context, { ...paymentTask(expiredOrder, 'TwoOrdersAtBank'), detail })
  return 'task raised'
}
