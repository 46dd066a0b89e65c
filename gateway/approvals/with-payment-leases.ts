/** Runs work under leases of payments, so that only one approval of a payment starts at a time. */
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { acquirePaymentLeases, type LeaseOwner, releasePaymentLeases } from './approval-lease-store.ts'

/** Banks would end the authorisation of the earlier approval. */
export const APPROVAL_IN_PROGRESS = 'Another approval of one of these payments is being started. Try again in a moment'

/**
 * Polling and ending older approvals, deleting their baskets, deciding on passed deadlines, polling orders and
 * resubmitting expired ones, creating a basket, and starting the authorisation. An approval that takes longer is not
 * stored.
 */
const CALLS_PER_LEASE_MAX = 16

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` if another request holds a lease. */
export async function withPaymentLeases<Result>(
  context: Context,
  holder: LeaseOwner,
  payments: readonly Payment[],
  work: () => Promise<Result>,
): Promise<Result> {
  const real = context.clock.real()
  const until = real.add({ seconds: CALLS_PER_LEASE_MAX * callSecondsMax(context.config) })
  const ids = payments.map(({ id }) => id)
  if (!(await acquirePaymentLeases(context.database, holder, ids, { real, until }))) {
    throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', APPROVAL_IN_PROGRESS)
  }
  try {
    return await work()
  } finally {
    await releasePaymentLeases(context.database.query, holder)
  }
}
