/** Finds whose a webhook subscription is. */
import { sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'

/** The partner of a subscription that the user may see; undefined for an unknown id. `partnerId` is null for operators. */
export async function findPartnerOfSubscription(
  database: Queryable,
  partnerId: string | null,
  id: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select o.id, o.name from partners o join webhook_subscriptions s on s.partner_id = o.id and s.id = ${id}::uuid
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]
}
