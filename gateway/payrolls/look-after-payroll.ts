/** Looks after a payroll that is not at its bank as a whole: its due day may be over, or what is there must be withdrawn. */
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { raiseTask, wasTaskRaised } from '../operators/raise-task.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './payroll-store.ts'
import { failPlacing, settlePlacing } from './settle-placing.ts'
import { changeState, postponeWork } from './submission/payroll-submission-store.ts'
import { type LeftAtBank, withdrawPayroll } from './withdraw-payroll.ts'

const WITHDRAW_AGAIN = { leastSeconds: 30, mostSeconds: 3600 }
/** When nothing has changed for this long, nothing more is to be expected without people. */
const TELLS_PEOPLE_AFTER = { hours: 24 }
const OVERDUE = 'It was not at its bank as a whole by the end of its due day'

/** Sees to one payroll whose time has come. */
export async function lookAfterPayroll(context: Context, key: RowKey): Promise<void> {
  const payroll = await findPayroll(context.database, key)
  if (payroll === undefined) {
    return
  }
  const workAt = await nextWork(context, payroll)
  await postponeWork(context.database, payroll, { state: payroll.state, workAt })
}

async function nextWork(context: Context, payroll: Payroll): Promise<Temporal.Instant | null> {
  switch (payroll.state) {
    case 'placing':
      return await lookAtPlacing(context, payroll)
    case 'failing':
      return await withdrawRest(context, payroll)
    case 'placed':
    case 'failed':
      return null
  }
}

/** Only its user can have the rest placed; what is noticed here is that it is too late for that. */
async function lookAtPlacing(context: Context, payroll: Payroll): Promise<Temporal.Instant> {
  const over = await endOfDueDay(context, payroll)
  await settlePlacing(context, payroll)
  if (Temporal.Instant.compare(context.clock.now(), over) >= 0) {
    await failPlacing(context, payroll, OVERDUE)
  }
  return over
}

/** When a payroll that is yet to be placed is looked at first. */
export async function endOfDueDay(
  { banks }: Pick<Context, 'banks'>,
  { bic, dueDate }: Pick<Payroll, 'bic' | 'dueDate'>,
): Promise<Temporal.Instant> {
  const bank = await banks.find(bic)
  return dueDate
    .add({ days: 1 })
    .toZonedDateTime(bank?.profile.timeZone ?? 'UTC')
    .toInstant()
}

/** Ends once nothing is left to ask; or, with people told, long after it should have been. */
async function withdrawRest(context: Context, payroll: Payroll): Promise<Temporal.Instant | null> {
  const left = await withdrawPayroll(context, payroll)
  const now = context.clock.now()
  const isAsked = left.unknown + left.open > 0
  const isStuck = isAsked && Temporal.Instant.compare(now, payroll.changedAt.add(TELLS_PEOPLE_AFTER)) >= 0
  if (isStuck || (!isAsked && left.there > 0)) {
    await tellPeople(context, payroll, left)
  }
  const givesUp = isStuck && left.unknown === 0 && (await isLongOver(context, payroll, now))
  if (isAsked && !givesUp) {
    return retryAt(payroll.changedAt, now, WITHDRAW_AGAIN)
  }
  const text = [payroll.stateText, stays(left, payroll)].filter((part) => part !== null).join('. ')
  await changeState(context.database, payroll, { from: 'failing', to: 'failed', text, workAt: null })
  return null
}

async function isLongOver(context: Context, payroll: Payroll, now: Temporal.Instant): Promise<boolean> {
  const over = (await endOfDueDay(context, payroll)).add(TELLS_PEOPLE_AFTER)
  return Temporal.Instant.compare(now, over) >= 0
}

/** Once: what becomes of it after that is seen at the orders. */
async function tellPeople(context: Context, payroll: Payroll, { unknown, open, there }: LeftAtBank): Promise<void> {
  const { partnerId, id: subjectId, bic: bank, dueDate } = payroll
  const subject = { partnerId, kind: 'PayrollNotWithdrawn', subjectType: 'payroll', subjectId } as const
  if (!(await wasTaskRaised(context, subject))) {
    const detail = { bank, dueDate: dueDate.toString(), ordersAtBank: there, openOrders: open, unknownOrders: unknown }
    await raiseTask(context, { ...subject, detail })
  }
}

/** Whoever orders it again must not take it for unpaid. */
function stays({ there }: LeftAtBank, { way, transactionCount }: Payroll): string | null {
  const [count, verb] =
    way === 'bulk' || way === 'file' ? [transactionCount, 'are'] : [there, there === 1 ? 'is' : 'are']
  return there === 0
    ? null
    : `${count} of its ${transactionCount} payouts ${verb} at the bank, were not withdrawn, and may be paid`
}
