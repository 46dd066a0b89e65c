/** Finds a payroll of a partner, or throws 404. */
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './store/payroll-store.ts'

/** Another partner's payroll is reported as not found, too. */
export async function requirePayroll({ database }: Context, partnerId: string, id: string): Promise<Payroll> {
  const normalizedId = id.toLowerCase()
  const payroll = isId(normalizedId) ? await findPayroll(database, { partnerId, id: normalizedId }) : undefined
  if (payroll === undefined) {
    throw apiError('not-found', 'There is no payroll with this id')
  }
  return payroll
}
