/** Lets one approval of a payment begin at a time: the bank would end the authorisation of the one before. */
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { freePayments, type Holder, holdPayments } from './approval-lease-store.ts'

/** What is said to whoever comes while another approval is being begun. */
export const BUSY = 'Another approval of one of these payments is being begun; ask again in a moment'

/**
 * Older approvals are read at the bank and told, their baskets untied, orders are read and placed again where they
 * lapsed, then a basket is made and the new authorisation begins; whoever takes longer keeps nothing.
 */
const CALLS_PER_HOLD_MAX = 12

/** Does the work while nobody else begins an approval of these payments. Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE`. */
export async function whileHolding<Result>(
  context: Context,
  holder: Holder,
  payments: readonly Payment[],
  work: () => Promise<Result>,
): Promise<Result> {
  const real = context.clock.real()
  const until = real.add({ seconds: CALLS_PER_HOLD_MAX * callSecondsMax(context.config) })
  const ids = payments.map(({ id }) => id)
  if (!(await holdPayments(context.database, holder, ids, { real, until }))) {
    throw refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', BUSY)
  }
  try {
    return await work()
  } finally {
    await freePayments(context.database.query, holder)
  }
}
