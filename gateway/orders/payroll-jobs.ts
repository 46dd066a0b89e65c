/** Schedules the sweeps that submit payrolls, fail those that are overdue, and cancel those that have failed. */
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { maintainPayroll } from './submit/maintain-payroll.ts'
import { payrollSubmitter } from './submit/submit-payroll.ts'

/** Cancelling a payroll takes some calls per order; when it takes longer than the lease, a second worker joins in. */
const CALLS_PER_RUN = 20
const payrollScan = {
  table: 'payrolls',
  partition: 'bic',
  name: 'payrolls',
  column: 'next_run_at',
  time: 'business',
} as const

export function payrollSweep(context: Context): Sweep {
  const leaseSeconds = CALLS_PER_RUN * callSecondsMax(context.config)
  return dueRowSweep(context, { ...payrollScan, leaseSeconds }, (key) => maintainPayroll(context, key))
}

const submissionScan = { ...payrollScan, name: 'payroll submission', column: 'submit_at' } as const
/** A turn ends with the calls that it has begun. Two workers at once do no harm: each transaction is claimed separately. */
const CALLS_PER_TURN = 3
/** Payrolls of one bank take turns: what a process submits at once leaves capacity of the bank's rate limit for users. */
const SUBMISSION_LIMITS = { perPartition: 2, perPartitionMin: 1, together: 100 }

export function payrollSubmissionSweep(context: Context): ReturnType<typeof dueRowSweep> {
  const leaseSeconds = CALLS_PER_TURN * callSecondsMax(context.config)
  return dueRowSweep(context, { ...submissionScan, leaseSeconds }, payrollSubmitter(context), SUBMISSION_LIMITS)
}
