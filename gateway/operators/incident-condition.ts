/** The condition by which lists and counts of tasks show one of an incident. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Of the tasks `t` in the same state, the first one stands for all; with a partner, the first of that partner. */
export function standsForItsIncident(partnerId: string | null = null): RawBuilder<SqlBool> {
  const ofPartner = partnerId === null ? sql`true` : sql`earlier.partner_id = ${partnerId}::uuid`
  return sql<SqlBool>`(t.detail->>'incident' is null or not exists (
    select from operator_tasks earlier
    where earlier.status <> 'resolved' and earlier.status = t.status and earlier.id < t.id and ${ofPartner}
      and earlier.detail->>'incident' = t.detail->>'incident'))`
}
