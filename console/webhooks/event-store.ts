/** Finds an event by its id. */
import { sql } from 'kysely'
import type { EventType } from '../../contract/webhooks/event-types.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'

export type FoundEvent = {
  readonly partnerId: string
  readonly partnerName: string
  readonly id: string
  readonly type: EventType
  readonly subjectId: string
  readonly occurredAt: Temporal.Instant
  readonly body: string
  /** Whether an event of an exchange is about its payment, and not about a quote without one. */
  readonly isOfPayment: boolean
}

/** One that the user may see; undefined for an unknown id. `partnerId` is null for operators. */
export async function findEvent(
  { query }: Queryable,
  partnerId: string | null,
  id: string,
): Promise<FoundEvent | undefined> {
  const { rows } = await sql<FoundEvent>`
    select o.id as "partnerId", o.name as "partnerName", e.id, e.type, e.subject_id as "subjectId",
      e.occurred_at as "occurredAt", e.body,
      exists (select from payments p where p.partner_id = o.id and p.id = e.subject_id) as "isOfPayment"
    from partners o, lateral (select * from events where partner_id = o.id and id = ${id}::uuid) e
    where ${partnerListFilter(partnerId)}`.execute(query)
  return rows[0]
}
