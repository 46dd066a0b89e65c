/** Makes sure, before a payroll is signed, that nobody is cancelling it: whoever signs would sign what is left of it. */
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isBeingCancelled } from './cancellations/order-reservation-store.ts'
import type { Payroll } from './payroll.ts'

/** Throws `conflict` until each of its orders is known to be cancelled or not. */
export async function requireNotCancelling(
  { database }: Pick<Context, 'database'>,
  { partnerId, id: payrollId }: Pick<Payroll, 'partnerId' | 'id'>,
): Promise<void> {
  if (await isBeingCancelled(database, { partnerId, id: payrollId })) {
    throw refuse(
      'conflict',
      'The payroll is being cancelled, and what its bank says is not known of all of it; it can be signed where that ends ' +
        'without it being cancelled',
      { payrollId },
    )
  }
}
