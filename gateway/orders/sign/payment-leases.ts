/** Leases orders, so that only one approval or cancellation of an order starts at a time. */

import type { ColumnType } from 'kysely'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { isUnleased, leaseFor } from '../../platform/jobs/lease.ts'
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

type Tables = {
  approval_leases: {
    partner_id: string
    payment_id: string
    approval_id: string
    lease_until: ColumnType<Temporal.Instant, string, string>
  }
}

/** The approval or cancellation that holds the leases. */
type LeaseHolder = Pick<Approval, 'partnerId' | 'id'>

/**
 * Leases all payments, or none. Expired leases are taken over. Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` if another
 * request holds one.
 */
export async function withPaymentLeases<Result>(
  context: Context,
  holder: LeaseHolder,
  payments: readonly Payment[],
  work: () => Promise<Result>,
): Promise<Result> {
  const lease = leaseFor(context, { seconds: CALLS_PER_LEASE_MAX * callSecondsMax(context.config) })
  const { partnerId: partner_id, id: approval_id } = holder
  const lease_until = lease.until.toString()
  const ids = payments.map(({ id }) => id).toSorted()
  const acquired = await context.database.query
    .withTables<Tables>()
    .insertInto('approval_leases')
    .values(ids.map((payment_id) => ({ partner_id, payment_id, approval_id, lease_until })))
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'payment_id'])
        .doUpdateSet({ approval_id, lease_until })
        .where(isUnleased(lease.at, 'approval_leases.lease_until')),
    )
    .returning('payment_id')
    .execute()
  try {
    if (acquired.length < ids.length) {
      throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', APPROVAL_IN_PROGRESS)
    }
    return await work()
  } finally {
    await releasePaymentLeases(context.database, holder)
  }
}

/** Releases the remaining leases of an approval and returns their number. */
export async function releasePaymentLeases(database: Queryable, { partnerId, id }: LeaseHolder): Promise<number> {
  const { numDeletedRows } = await database.query
    .withTables<Tables>()
    .deleteFrom('approval_leases')
    .where('partner_id', '=', partnerId)
    .where('approval_id', '=', id)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
