/** Looks after a payroll that is not at its bank as a whole: its due day may be over, or what is there must be withdrawn. */
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './payroll-store.ts'
import { changeState, postponeWork } from './placing-store.ts'
import { failPlacing, settlePlacing } from './settle-placing.ts'
import { withdrawPayroll } from './withdraw-payroll.ts'

const WITHDRAW_AGAIN = { leastSeconds: 30, mostSeconds: 3600 }
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

async function withdrawRest(context: Context, payroll: Payroll): Promise<Temporal.Instant | null> {
  const left = await withdrawPayroll(context, payroll)
  if (left > 0) {
    return retryAt(payroll.changedAt, context.clock.now(), WITHDRAW_AGAIN)
  }
  const { stateText: text } = payroll
  await changeState(context.database, payroll, { from: 'failing', to: 'failed', text, workAt: null })
  return null
}
