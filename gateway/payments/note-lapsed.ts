/** Notes that a bank has let an unsigned order lapse, and when that is proven; then people learn of it, once. */
import type { BankRefusal } from '../banks/connector/bank-error.ts'
import type { StatusObservation } from '../banks/connector/order-at-bank.ts'
import type { Context } from '../context.ts'
import { raiseTask, wasTaskRaised } from '../operators/raise-task.ts'
import type { HeldPayment, Payment } from '../orders/payment.ts'
import { markLapsed } from '../orders/status/expired-order-store.ts'
import { postponePoll } from '../orders/status/payment-status-store.ts'
import { recordStatus } from '../orders/status/record-payment-status.ts'

/** One no may be a slip of the bank's, or of a copy of its books that lags behind; the same after this time is none. */
const PROVEN_AFTER = { minutes: 5 }
/** A bank that forgot an order by mistake remembers it within days; after that nothing more is to be expected. */
const WATCHED = { days: 14 }
const READ_AGAIN = { hours: 24 }

/** A bank that took a withdrawal and then holds the order no more has said what became of it. */
const WITHDRAWN = {
  status: 'Cancelled',
  statusReason: null,
  statusReasonText: 'The bank took the cancellation, and holds the order no more',
  bankStatus: 'gone',
} as const satisfies StatusObservation

/** A payment of which its bank says that it holds it no more. */
export type Lapse = {
  readonly payment: Payment
  /** When the same answer proves it. */
  readonly provenAt: Temporal.Instant
  readonly isProven: boolean
}

/** Whether one more no proves what the bank has said for a while: that it holds the order no more. */
export function isLapseOld({ lapsedAt }: Pick<Payment, 'lapsedAt'>, now: Temporal.Instant): boolean {
  return lapsedAt !== null && Temporal.Instant.compare(lapsedAt.add(PROVEN_AFTER), now) <= 0
}

/** The status stays what it was: the bank said nothing of one. */
export async function noteLapsed(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<Lapse> {
  const now = context.clock.now()
  const lapsedAt = earlier(payment.lapsedAt ?? now, now)
  const provenAt = refusal.kind === 'expired-resource' ? now : lapsedAt.add(PROVEN_AFTER)
  const isProven = Temporal.Instant.compare(provenAt, now) <= 0
  const pollAt = isProven ? nextWatch(context, payment, now) : provenAt
  const unreadSince = payment.unreadSince ?? now
  await markLapsed(context.database, payment, now)
  if (isProven && payment.withdrawnAt !== null) {
    return { payment: await recordStatus(context, payment, WITHDRAWN), provenAt, isProven }
  }
  if (isProven) {
    await raiseOnce(context, payment, refusal)
  }
  await postponePoll(context.database, payment, { pollAt, pollStep: payment.pollStep, unreadSince })
  return { payment: { ...payment, pollAt, unreadSince, lapsedAt }, provenAt, isProven }
}

function nextWatch(context: Context, { dueDate }: Payment, now: Temporal.Instant): Temporal.Instant | null {
  const isWatched = Temporal.PlainDate.compare(context.clock.today('UTC'), dueDate.add(WATCHED)) <= 0
  return isWatched ? now.add(READ_AGAIN) : null
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) <= 0 ? one : other
}

/** Once people have dealt with it, reading the same again tells them nothing. */
async function raiseOnce(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<void> {
  const { partnerId, id: subjectId, bic: bank, bankPaymentId } = payment
  const subject = { partnerId, kind: 'LapsedAtBank', subjectType: 'payment', subjectId } as const
  if (!(await wasTaskRaised(context, subject))) {
    const detail = { bank, bankPaymentId, dueDate: payment.dueDate.toString(), text: refusal.message }
    await raiseTask(context, { ...subject, detail })
  }
}
