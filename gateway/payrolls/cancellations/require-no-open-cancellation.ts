/** Checks before a payroll is signed that it is not being cancelled: the user would sign only the rest of it. */
import type { Context } from '../../context.ts'
import type { Payroll } from '../../orders/payroll.ts'
import { hasOpenCancellation } from '../../orders/store/order-reservation-store.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'

/** Throws `conflict` while the result is unknown for any of its orders. */
export async function requireNoOpenCancellation(
  { database }: Context,
  { partnerId, id: payrollId }: Pick<Payroll, 'partnerId' | 'id'>,
): Promise<void> {
  if (await hasOpenCancellation(database, { partnerId, id: payrollId })) {
    throw apiError(
      'conflict',
      'The payroll is being cancelled, and the bank has not answered for all of its orders. It can be signed if the ' +
        'cancellation fails',
      { payrollId },
    )
  }
}
