/** Leases orders, so that only one approval or cancellation of an order starts at a time. */

import { type ColumnType, type Kysely, sql, type Transaction } from 'kysely'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../platform/database/database.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Payment } from '../payment.ts'
import type { Approval } from './approval.ts'

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

type Tables = {
  approval_leases: {
    partner_id: string
    payment_id: string
    approval_id: string
    lease_until: ColumnType<Temporal.Instant, string, string>
  }
}

type LeaseOwner = Pick<Approval, 'partnerId' | 'id'>

/** Acquires leases of all payments, or of none and returns false. Expired leases are taken over. */
async function acquirePaymentLeases(
  { query }: Database<unknown>,
  holder: LeaseOwner,
  paymentIds: readonly string[],
  times: { readonly real: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const rows = paymentIds.toSorted().map((paymentId) => ({
    partner_id: holder.partnerId,
    payment_id: paymentId,
    approval_id: holder.id,
    lease_until: times.until.toString(),
  }))
  const acquired = await query
    .withTables<Tables>()
    .insertInto('approval_leases')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'payment_id'])
        .doUpdateSet({ approval_id: holder.id, lease_until: times.until.toString() })
        .where(sql<boolean>`approval_leases.lease_until < ${times.real.toString()}`),
    )
    .returning('payment_id')
    .execute()
  if (acquired.length < rows.length) {
    await releasePaymentLeases(query, holder)
  }
  return acquired.length === rows.length
}

/** Releases the remaining leases of an approval and returns their number. */
export async function releasePaymentLeases(
  database: Kysely<unknown> | Transaction<unknown>,
  { partnerId, id }: LeaseOwner,
): Promise<number> {
  const { numDeletedRows } = await database
    .withTables<Tables>()
    .deleteFrom('approval_leases')
    .where('partner_id', '=', partnerId)
    .where('approval_id', '=', id)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
