/** Finds the payroll of a partner for the rooms that have it signed and cancelled. */
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './payroll-store.ts'

/** One payroll. One that is unknown, or another partner's, does not exist: 404. */
export async function payrollOf(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  id: string,
): Promise<Payroll> {
  const wanted = id.toLowerCase()
  const payroll = isId(wanted) ? await findPayroll(database, { partnerId, id: wanted }) : undefined
  if (payroll === undefined) {
    throw refuse('not-found', 'There is no payroll with this id')
  }
  return payroll
}
