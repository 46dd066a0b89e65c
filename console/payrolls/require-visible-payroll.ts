/** Finds a payroll that the user may see. */
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { Viewer } from '../layout/viewer.ts'
import { findVisiblePayroll, type VisiblePayroll } from './payroll-store.ts'

/** Throws `not-found` for an unknown id and for a payroll of a foreign partner, which look the same. */
export async function requireVisiblePayroll(
  { database }: Context,
  viewer: Pick<Viewer, 'session'>,
  id: string,
): Promise<VisiblePayroll> {
  const payroll = isId(id) ? await findVisiblePayroll(database, partnerFilterOf(viewer), id) : undefined
  if (payroll === undefined) {
    throw apiError('not-found', 'There is no payroll with this id')
  }
  return payroll
}
