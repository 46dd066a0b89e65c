/** Looks once a day after orders that lapsed and were placed again: one that comes back is withdrawn, or told to people. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { StatusObservation } from '../banks/connector/order-at-bank.ts'
import type { Context } from '../context.ts'
import { addBankDays } from '../countries/bank-days.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { type HeldPayment, isFinalValue, type Payment } from '../orders/payment.ts'
import { findPayment } from '../orders/payment-store.ts'
import { type FormerOrder, findFormerOrder, setFormerPoll } from '../orders/status/expired-order-store.ts'
import { pollTermsOf } from '../orders/status/poll-schedule.ts'
import type { Clock } from '../platform/clock.ts'
import { newBankRequestId } from '../platform/ids.ts'
import { atBank } from './follow-payment.ts'
import type { PaymentAtBank } from './withdraw-unsigned.ts'

/** A bank that finds a lost order does so within days, and carries it out within days of its due day. */
const WATCHED_BANK_DAYS = 10
const LOOK_EVERY = { hours: 24 }

/** When a former order is looked after first. */
export function firstLook({ now }: Pick<Clock, 'now'>): Temporal.Instant {
  return now().add(LOOK_EVERY)
}

/** Looks, and sets the next look. What people were told of is theirs. */
export async function followFormerOrder(context: Context, key: RowKey): Promise<void> {
  const former = await findFormerOrder(context.database, key)
  if (former === undefined) {
    return
  }
  const payment = await findPayment(context.database, { partnerId: former.partnerId, id: former.paymentId })
  const isTold = payment === undefined || (await lookAfter(context, payment, former))
  const pollAt = isTold || (await isOver(context, payment)) ? null : firstLook(context.clock)
  await setFormerPoll(context.database, former, pollAt)
}

async function isOver(context: Context, payment: Payment): Promise<boolean> {
  const { calendars, timeZone } = pollTermsOf(await context.banks.find(payment.bic))
  const watchedUntil = addBankDays(calendars, payment.dueDate, WATCHED_BANK_DAYS)
  return Temporal.PlainDate.compare(context.clock.today(timeZone), watchedUntil) > 0
}

/** Whether people were told. People may also have said that the payment is this very order. */
async function lookAfter(context: Context, payment: Payment, { bankPaymentId }: FormerOrder): Promise<boolean> {
  if (payment.bankPaymentId === bankPaymentId) {
    return false
  }
  const former = { ...payment, bankPaymentId }
  try {
    const at = await atBank(context, payment)
    const observation = await at.payments.read(at.caller, former, { signed: false })
    return await seeTo(context, at, former, observation)
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.info({ paymentId: payment.id, refusal: error.kind }, 'a bank does not show a former order')
      return false
    }
    throw error
  }
}

async function seeTo(
  context: Context,
  at: PaymentAtBank,
  former: HeldPayment,
  { status, bankStatus }: StatusObservation,
): Promise<boolean> {
  const isDead = status !== null && status !== 'Completed' && isFinalValue(status)
  if (isDead || (status === 'Unsigned' && (await isWithdrawn(at, former)))) {
    return false
  }
  const { partnerId, id: subjectId, bic: bank, bankPaymentId } = former
  const detail = { bank, formerBankPaymentId: bankPaymentId, status: status ?? 'unknown', bankStatus }
  await raiseTask(context, { partnerId, kind: 'TwoOrdersAtBank', subjectType: 'payment', subjectId, detail })
  return true
}

/** A bank that cannot be asked is asked at the next look. */
async function isWithdrawn({ payments, caller }: PaymentAtBank, former: HeldPayment): Promise<boolean> {
  try {
    return (await payments.cancellation.cancel(caller, former, newBankRequestId())) === 'accepted'
  } catch (error) {
    if (error instanceof BankRefusal && error.kind === 'cancellation-refused') {
      return false
    }
    throw error
  }
}
