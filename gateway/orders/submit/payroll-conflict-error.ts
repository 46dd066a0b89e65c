/** Converts a constraint violation into a conflict error: same idempotency key, or an equal order with an unknown outcome. */
import type { Context } from '../../context.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findPayrollOfOpenOrder, type OpenOrderQuery } from '../find-payroll-of-order.ts'

/** Any other error is returned unchanged. */
export async function toPayrollConflictError(
  context: Context,
  order: OpenOrderQuery | undefined,
  error: unknown,
): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return apiError('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (order === undefined || !isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const payrollId = await findPayrollOfOpenOrder(context, order)
  return apiError(
    'conflict',
    'A payroll with the same transactions was submitted to the bank and its outcome is unknown. Follow the payroll with this payrollId',
    payrollId === undefined ? {} : { payrollId },
  )
}
