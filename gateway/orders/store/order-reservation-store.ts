/** Queries which orders of a payroll users are signing or cancelling. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { isUnleased } from '../../platform/jobs/lease.ts'

const raw = (database: Queryable): Kysely<unknown> => database.query

/** The orders that a user is about to sign or is cancelling; background jobs must not cancel these. */
export async function listReservedOrderIds(
  database: Queryable,
  { partnerId, id }: RowKey,
  real: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select o.id from payments o
    where o.partner_id = ${partnerId} and o.payroll_id = ${id} and (
      exists (select from approval_leases h where h.partner_id = ${partnerId} and h.payment_id = o.id
        and not ${isUnleased(real, 'h.lease_until')})
      -- Banks withdraw nothing that is tied to others; a basket that nobody will sign is untied by a sweep of its own.
      or exists (select from approval_basket_payments t
        join approval_baskets b on b.partner_id = t.partner_id and b.id = t.basket_id
        where t.partner_id = ${partnerId} and t.payment_id = o.id and b.state in ('in-flight', 'unsigned'))
      or exists (select from cancellations c where c.partner_id = ${partnerId} and c.payment_id = o.id
        and c.status in ('REQUESTED', 'AUTHORIZATION_REQUIRED')))`.execute(raw(database))
  return new Set(rows.map(({ id: orderId }) => orderId))
}
