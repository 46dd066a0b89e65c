/** Forgets the wish to cancel a payroll of which its bank certainly knows nothing. */
import type { Context } from '../../context.ts'
import { deleteWhole } from '../../payrolls/cancellations/payroll-cancellation-store.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { dropCancellation } from '../cancellation-store.ts'
import type { PayrollCancellation } from './payroll-cancellation.ts'

/** A part of it was answered. */
class Answered extends Error {}

/** All of it, or nothing where a part has moved on: then the whole stays, and false is answered. */
export async function forgetWhole(context: Context, whole: PayrollCancellation): Promise<boolean> {
  try {
    await atomically(context.database, async (within) => {
      for (const part of whole.parts) {
        if (!(await dropCancellation(within, part))) {
          throw new Answered()
        }
      }
      await deleteWhole(within, whole)
    })
    return true
  } catch (error) {
    if (error instanceof Answered) {
      return false
    }
    throw error
  }
}
