/** Lists the queues of deliveries that are ready to be attempted, for operators. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { PARTNERS } from '../../partners/partner-rows.ts'

/** A queue with ready deliveries: how many of them, at most `COUNTED_DELIVERIES_MAX`, and since when the oldest waits. */
export type DeliveryQueueState = {
  readonly partnerId: string
  readonly partnerName: string
  readonly origin: string
  readonly count: number
  readonly oldest: Temporal.Instant
}

/** Counting stops here. */
export const COUNTED_DELIVERIES_MAX = 1_000

/** More queues are not shown at once. */
const QUEUES_MAX = 100

/** One for each partner and origin; the one that waits longest first. */
export async function listDeliveryQueues({ database }: Context): Promise<readonly DeliveryQueueState[]> {
  return (await deliveryQueuesQuery(QUEUES_MAX).execute(database.query)).rows
}

/** The order matches only the index of ready deliveries. Exported for the test of its plan. */
export function deliveryQueuesQuery(limit: number): RawBuilder<DeliveryQueueState> {
  const first = (behind: RawBuilder<unknown>) => sql`
    select partner_id, origin from webhook_deliveries where ready ${behind} order by partner_id, origin limit 1`
  return sql<DeliveryQueueState>`
    with recursive queues as (
      (${first(sql``)})
      union all
      select next.* from queues q, lateral (${first(sql`and (partner_id, origin) > (q.partner_id, q.origin)`)}) next)
    select q.partner_id as "partnerId", o.name as "partnerName", q.origin, d.count, d.oldest
    from (select * from queues limit ${limit}) q join ${PARTNERS} on o.id = q.partner_id, lateral (
      select count(*)::int as count, min(created_at) as oldest from (
        select created_at from webhook_deliveries
        where partner_id = q.partner_id and origin = q.origin and ready
        order by sequence limit ${COUNTED_DELIVERIES_MAX}) waiting) d
    order by d.oldest, q.partner_id, q.origin`
}
