/** Says why a payroll could not be kept: the same key, or an equal order whose outcome is not known. */
import type { Context } from '../context.ts'
import { findOpenOrder, type OpenOrder } from '../orders/payroll/find-payroll-of-order.ts'
import { isConstraintViolation } from '../platform/database/coalesce.ts'
import { refuse } from '../platform/http/errors/api-error.ts'

/** What partners are told; anything else is given back as it came. */
export async function payrollConflictOf(
  context: Context,
  order: OpenOrder | undefined,
  error: unknown,
): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return refuse('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (order === undefined || !isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const payrollId = await findOpenOrder(context, order)
  return refuse(
    'conflict',
    'A payroll with the same payouts was handed to the bank and its outcome is not known; follow the payroll named here',
    payrollId === undefined ? {} : { payrollId },
  )
}
