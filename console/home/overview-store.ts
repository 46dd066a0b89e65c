/** Queries for the overview. Each reads at most a number of index entries, however much is stored. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerScope } from '../../gateway/platform/database/partner-scope.ts'

/** Counting stops here; the overview shows "1 000 or more". */
export const COUNTED_MAX = 1_000

/** How many payments have a status, at most `COUNTED_MAX` of each partner. Completed ones are not counted. */
export async function countPayments(
  database: Queryable,
  partnerId: string | null,
  status: Exclude<PaymentStatusValue, 'Completed'>,
): Promise<number> {
  // The literal shows PostgreSQL that the partial index of statuses applies.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from partners o, lateral (
      select 1 from payments
      where partner_id = o.id and status = ${sql.lit(status)} and status <> 'Completed' and payroll_id is null
      limit ${COUNTED_MAX}) p
    where ${partnerScope(partnerId)}`.execute(database.query)
  return rows[0]?.count ?? 0
}

/** Webhook deliveries that are ready, at most `COUNTED_MAX` of each partner, and since when the oldest of them is. */
export async function countWaitingDeliveries(
  database: Queryable,
  partnerId: string | null,
): Promise<{ readonly count: number; readonly since: Temporal.Instant | null }> {
  const { rows } = await sql<{ count: number; since: Temporal.Instant | null }>`
    select count(*)::int as count, min(d.due_at) as since from partners o, lateral (
      select due_at from webhook_deliveries where partner_id = o.id and ready
      order by origin, sequence limit ${COUNTED_MAX}) d
    where ${partnerScope(partnerId)}`.execute(database.query)
  return rows[0] ?? { count: 0, since: null }
}

/** Open operator tasks, and since when the oldest waits. */
export async function countOpenTasks(
  database: Queryable,
): Promise<{ readonly count: number; readonly since: Temporal.Instant | null }> {
  const { rows } = await sql<{ count: number; since: Temporal.Instant | null }>`
    select count(*)::int as count, min(created_at) as since from operator_tasks where status <> 'resolved'`.execute(
    database.query,
  )
  return rows[0] ?? { count: 0, since: null }
}
