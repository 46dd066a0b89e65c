/** Deletes the cancellation of a payroll when no order of it was cancelled at the bank. */

import { deleteCancellation } from '../../cancellations/cancellation-store.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { PayrollCancellation } from './payroll-cancellation.ts'
import { deletePayrollCancellationRow } from './payroll-cancellation-store.ts'

/** The bank has answered a part of it. */
class AlreadyAnsweredError extends Error {}

/** Deletes all parts; if any has changed its status, deletes nothing and returns false. */
export async function deletePayrollCancellation(
  context: Context,
  payrollCancellation: PayrollCancellation,
): Promise<boolean> {
  try {
    await inTransaction(context, async (context) => {
      for (const part of payrollCancellation.parts) {
        if (!(await deleteCancellation(context.database, part))) {
          throw new AlreadyAnsweredError()
        }
      }
      await deletePayrollCancellationRow(context.database, payrollCancellation)
    })
    return true
  } catch (error) {
    if (error instanceof AlreadyAnsweredError) {
      return false
    }
    throw error
  }
}
