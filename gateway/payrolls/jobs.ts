/** Schedules the sweep over payrolls that are not completely submitted, or are being cancelled. */
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { maintainPayroll } from './maintain-payroll.ts'

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
