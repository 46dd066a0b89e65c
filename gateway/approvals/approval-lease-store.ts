/** Queries on payment leases: while an approval is being started, no other one of the same payments can be. */
import { type ColumnType, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Approval } from './approval.ts'

type Tables = {
  approval_leases: {
    partner_id: string
    payment_id: string
    approval_id: string
    lease_until: ColumnType<Temporal.Instant, string, string>
  }
}

export type LeaseOwner = Pick<Approval, 'partnerId' | 'id'>

/** Acquires leases of all payments, or of none and returns false. Expired leases are taken over. */
export async function acquirePaymentLeases(
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
