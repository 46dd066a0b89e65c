/** Updates the state of a payroll in submission: `submitted` once the bank holds all of it, `failing` once an order is lost. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Payroll } from '../payroll.ts'
import { changePayrollState } from '../store/payroll-submission-store.ts'
import { refreshPayrollStatus, type SubmissionCounts, submissionProgress } from './submission-progress.ts'

type PayrollId = Pick<Payroll, 'partnerId' | 'id'>

const LOST = 'One of its orders ended at the bank before all of them had been submitted'

/** Returns how much of the payroll the bank holds, and sets the state accordingly. */
export async function updateSubmissionState(context: Context, payroll: PayrollId): Promise<SubmissionCounts> {
  const { partnerId, id: payrollId } = payroll
  const counts = await submissionProgress(context, { partnerId, payrollId })
  if (counts.ended > 0) {
    await failPayrollSubmission(context, payroll, LOST)
  } else if (counts.submitted === counts.count) {
    await recordSubmitted(context, payroll)
  }
  return counts
}

async function recordSubmitted(context: Context, payroll: PayrollId): Promise<void> {
  const { partnerId, id: payrollId } = payroll
  await inTransaction(context, async (context) => {
    const transition = { from: 'submitting', to: 'submitted', text: null, nextRunAt: null } as const
    if (await changePayrollState(context.database, payroll, transition)) {
      await refreshPayrollStatus(context.database, { partnerId, payrollId }, context.clock.now())
    }
  })
}

/**
 * Stops the submission and schedules the cancellation of submitted orders, after `delay` if the caller cancels them itself.
 * Returns false if the payroll was no longer in submission.
 */
export async function failPayrollSubmission(
  context: Context,
  payroll: PayrollId,
  text: string,
  delay: Temporal.DurationLike = { seconds: 0 },
): Promise<boolean> {
  const { partnerId, id: payrollId } = payroll
  const now = context.clock.now()
  const nextRunAt = now.add(delay)
  return await inTransaction(context, async (context) => {
    const isFailing = await changePayrollState(context.database, payroll, {
      from: 'submitting',
      to: 'failing',
      text,
      nextRunAt,
    })
    await refreshPayrollStatus(context.database, { partnerId, payrollId }, now)
    return isFailing
  })
}
