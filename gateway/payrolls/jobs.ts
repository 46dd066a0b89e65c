/** Looks after payrolls that are not at their bank as a whole. */
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { lookAfterPayroll } from './look-after-payroll.ts'

/** Withdrawing a payroll takes some calls for each of its orders; whoever needs longer is joined by another worker. */
const CALLS_PER_LOOK = 20
const looking = { table: 'payrolls', share: 'bic', name: 'payrolls', column: 'work_at', time: 'business' } as const

/** The sweep over payrolls. */
export function payrollSweep(context: Context): Sweep {
  const leaseSeconds = CALLS_PER_LOOK * callSecondsMax(context.config)
  return dueSweep(context, { ...looking, leaseSeconds }, (key) => lookAfterPayroll(context, key))
}
