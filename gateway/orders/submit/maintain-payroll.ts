/** Updates the state of a payroll in submission: its progress, the end of its due date, the cancellation of one that fails, the hold after a restore. */
import type { Context } from '../../context.ts'
import { isTaskOpen, raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { Payroll } from '../payroll.ts'
import type { PayrollKey } from '../payroll-order.ts'
import { refreshPayrollStatus } from '../status/record-transaction-statuses.ts'
import { countTransactionsBySubmission, type SubmissionCounts } from '../store/payroll-progress-store.ts'
import {
  changePayrollState,
  listPayrollsInSubmission,
  reschedulePayroll,
  type StateChange,
} from '../store/payroll-submission-store.ts'
import { cancelPayrollOrders, type OrdersLeftAtBank } from './cancel-payroll-orders.ts'

const CANCEL_RETRY_DELAY = { leastSeconds: 30, mostSeconds: 3600 }
/** When nothing has changed for this long, an operator must act. */
const RAISE_TASK_AFTER = { hours: 24 }
export const OVERDUE = 'Not all of it had been submitted to the bank by the end of the due date'

/** Processes one payroll that is due, and schedules its next run. */
export async function maintainPayroll(context: Context, payroll: Payroll): Promise<void> {
  const nextRunAt = await runState(context, payroll)
  await reschedulePayroll(context.database, payroll, { state: payroll.state, nextRunAt })
}

async function runState(context: Context, payroll: Payroll): Promise<Temporal.Instant | null> {
  switch (payroll.state) {
    case 'submitting':
      return await expireSubmission(context, payroll)
    case 'failing':
      return await cancelRemainingOrders(context, payroll)
    case 'submitted':
    case 'failed':
      return null
  }
}

/** Another sweep submits the rest; this detects that it is too late for that. */
async function expireSubmission(context: Context, payroll: Payroll): Promise<Temporal.Instant> {
  const deadline = await endOfDueDay(context, payroll)
  await updateSubmissionState(context, payroll)
  if (Temporal.Instant.compare(context.clock.now(), deadline) >= 0) {
    await failPayrollSubmission(context, payroll, OVERDUE)
  }
  return deadline
}

/** Midnight after the due date in the bank's time zone. */
export async function endOfDueDay(
  { banks }: Context,
  { bic, dueDate }: Pick<Payroll, 'bic' | 'dueDate'>,
): Promise<Temporal.Instant> {
  const bank = await banks.find(bic)
  return dueDate
    .add({ days: 1 })
    .toZonedDateTime(bank?.profile.timeZone ?? 'UTC')
    .toInstant()
}

/** Ends when nothing is left to cancel; or, with an operator task raised, long after the due date. */
async function cancelRemainingOrders(context: Context, payroll: Payroll): Promise<Temporal.Instant | null> {
  const remaining = await cancelPayrollOrders(context, payroll)
  const now = context.clock.now()
  const isPending = remaining.unknown + remaining.open > 0
  const isStuck = isPending && Temporal.Instant.compare(now, payroll.changedAt.add(RAISE_TASK_AFTER)) >= 0
  if (isStuck || (!isPending && remaining.there > 0)) {
    await raiseNotCancelledTask(context, payroll, remaining)
  }
  const isAbandoned = isStuck && remaining.unknown === 0 && (await isLongOverdue(context, payroll, now))
  if (isPending && !isAbandoned) {
    return nextAttemptAt(payroll.changedAt, now, CANCEL_RETRY_DELAY)
  }
  const text = [payroll.stateText, remainingAtBankText(remaining, payroll)].filter((part) => part !== null).join('. ')
  await changeState(context, payroll, { from: 'failing', to: 'failed', text, nextRunAt: null })
  return null
}

async function isLongOverdue(context: Context, payroll: Payroll, now: Temporal.Instant): Promise<boolean> {
  const deadline = (await endOfDueDay(context, payroll)).add(RAISE_TASK_AFTER)
  return Temporal.Instant.compare(now, deadline) >= 0
}

/** Raised once per payroll; later changes are visible at the orders. */
async function raiseNotCancelledTask(
  context: Context,
  payroll: Payroll,
  { unknown, open, there }: OrdersLeftAtBank,
): Promise<void> {
  const { partnerId, id: subjectId, bic: bank, dueDate } = payroll
  const subject = { partnerId, kind: 'PayrollNotWithdrawn', subjectType: 'payroll', subjectId } as const
  if (!(await wasTaskRaised(context, subject))) {
    const detail = { bank, dueDate: dueDate.toString(), ordersAtBank: there, openOrders: open, unknownOrders: unknown }
    await raiseTask(context, { ...subject, detail })
  }
}

/** A partner that orders the payroll again must know what may be paid already. */
function remainingAtBankText(
  { there }: OrdersLeftAtBank,
  { submissionMode, transactionCount }: Payroll,
): string | null {
  // A bulk is one order; a file never fails.
  const count = submissionMode === 'bulk' ? transactionCount : there
  const verb = count === 1 ? 'is' : 'are'
  return there === 0
    ? null
    : `${count} of its ${transactionCount} transactions ${verb} at the bank, could not be cancelled, and may be paid`
}

const LOST = 'One of its orders ended at the bank before all of them had been submitted'

/** Returns how much of the payroll the bank holds, and sets the state accordingly. */
export async function updateSubmissionState(context: Context, payroll: RowKey): Promise<SubmissionCounts> {
  const { partnerId, id: payrollId } = payroll
  const counts = await countTransactionsBySubmission(context.database, { partnerId, payrollId })
  if (counts.ended > 0) {
    await failPayrollSubmission(context, payroll, LOST)
  } else if (counts.submitted === counts.count) {
    await changeState(context, payroll, { from: 'submitting', to: 'submitted', text: null, nextRunAt: null })
  }
  return counts
}

/** The state decides whether the status that partners see is final. Returns false if the payroll is no longer in the state `from`. */
async function changeState(context: Context, payroll: RowKey, change: StateChange): Promise<boolean> {
  const { partnerId, id: payrollId } = payroll
  return await inTransaction(context, async (context) => {
    const isChanged = await changePayrollState(context.database, payroll, change)
    await (isChanged && refreshPayrollStatus(context.database, { partnerId, payrollId }, context.clock.now()))
    return isChanged
  })
}

/**
 * Stops the submission and schedules the cancellation of submitted orders, after `delay` if the caller cancels them itself.
 * Returns false if the payroll was no longer in submission.
 */
export async function failPayrollSubmission(
  context: Context,
  payroll: RowKey,
  text: string,
  delay: Temporal.DurationLike = { seconds: 0 },
): Promise<boolean> {
  const nextRunAt = context.clock.now().add(delay)
  return await changeState(context, payroll, { from: 'submitting', to: 'failing', text, nextRunAt })
}

/** After a restore of the database: raises a task for each payroll of which the rest would be submitted, which holds it; returns how many there are. */
export async function holdPayrollsInSubmission(
  context: ProgramContext,
  detail: Readonly<Record<string, unknown>>,
): Promise<number> {
  const payrolls = await listPayrollsInSubmission(context.database)
  for (const { partnerId, id, bic, submissionMode } of payrolls) {
    const subject = { partnerId, kind: 'PayrollHeld', subjectType: 'payroll', subjectId: id } as const
    await raiseTask(context, { ...subject, detail: { bank: bic, submissionMode, ...detail } })
  }
  return payrolls.length
}

/** Whether nothing of the payroll may be submitted now. */
export async function isPayrollHeld(context: ProgramContext, { partnerId, payrollId }: PayrollKey): Promise<boolean> {
  return await isTaskOpen(context, { partnerId, kind: 'PayrollHeld', subjectId: payrollId })
}
