/** Notes that a bank has let an unsigned order lapse: people learn of it once, and it is read once a day, then no more. */
import type { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { raiseTask, wasTaskRaised } from '../operators/raise-task.ts'
import type { HeldPayment } from './payment.ts'
import { postponePoll } from './status-store.ts'

/** A bank that forgot an order by mistake remembers it within days; after that nothing more is to be expected. */
const WATCHED = { days: 14 }
const READ_AGAIN = { hours: 24 }

/** The status stays what it was: the bank said nothing of one. */
export async function noteLapsed(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<void> {
  const now = context.clock.now()
  const watchedUntil = payment.dueDate.add(WATCHED)
  const isWatched = Temporal.PlainDate.compare(context.clock.today('UTC'), watchedUntil) <= 0
  const pollAt = isWatched ? now.add(READ_AGAIN) : null
  const unreadSince = payment.unreadSince ?? now
  await raiseOnce(context, payment, refusal)
  await postponePoll(context.database, payment, { pollAt, pollStep: payment.pollStep, unreadSince })
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
