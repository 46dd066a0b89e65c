/** Counts recent deliveries for the overview of operators and partners, and finds which of the webhooks a developer has tried. */
import { type RawBuilder, sql } from 'kysely'
import { EVENT_TYPES } from '../../contract/webhooks/event-types.ts'
import { PARTNERS, partnerListFilter } from '../partners/partner-rows.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { lowestIdAt } from '../platform/ids.ts'

/** Recent deliveries of the partner's subscriptions: how many ended how, and since when the oldest undelivered waits. */
type DeliveryFigures = {
  readonly delivered: number
  readonly failed: number
  readonly waiting: number
  readonly oldestWaiting: Temporal.Instant | null
}

/** Of each subscription and type of event, as many deliveries as this are taken for recent. */
const RECENT_DELIVERIES = 100

export async function countDeliveries(
  { query }: Queryable,
  partnerId: string | null,
  since: Temporal.Instant,
): Promise<DeliveryFigures> {
  const { rows } = await deliveryFiguresQuery(partnerId, since).execute(query)
  return rows[0] ?? { delivered: 0, failed: 0, waiting: 0, oldestWaiting: null }
}

/**
 * Failures are counted since the oldest of the recent deliveries, or since the given wall time. Rows are compared, not
 * columns, and ordered by all columns of the log's index: no other index serves that.
 */
function deliveryFiguresQuery(partnerId: string | null, since: Temporal.Instant): RawBuilder<DeliveryFigures> {
  const first = sql`${lowestIdAt(since)}::uuid`
  const range = (status: RawBuilder<unknown>, from: RawBuilder<unknown>) => sql`
    webhook_deliveries d where d.partner_id = s.partner_id and d.subscription_id = s.id
      and (d.event_type, d.status, d.id) >= (t.type, ${status}, ${from})
      and (d.event_type, d.status, d.id) <= (t.type, ${status}, ${LAST_ID}::uuid)`
  const newest = sql`order by d.event_type desc, d.status desc, d.id desc`
  return sql<DeliveryFigures>`
    select coalesce(sum(ok.count), 0)::int as delivered, coalesce(sum(bad.count), 0)::int as failed,
      coalesce(sum(wait.count), 0)::int as waiting, min(wait.oldest) as "oldestWaiting"
    from ${PARTNERS} join webhook_subscriptions s on s.partner_id = o.id,
      unnest(${EVENT_TYPES}::text[]) t(type),
      lateral (
        select count(*) as count, coalesce(min(id::text), ${lowestIdAt(since)})::uuid as first from (
          select d.id from ${range(sql`'Delivered'`, first)} ${newest} limit ${RECENT_DELIVERIES}) recent) ok,
      lateral (
        select count(*) as count from unnest(array['Failed', 'Refused']) f(status), lateral (
          select from ${range(sql`f.status`, sql`case when ok.count < ${RECENT_DELIVERIES} then ${first} else ok.first end`)}
          ${newest} limit ${RECENT_DELIVERIES}) ended) bad,
      lateral (
        select count(*) as count, min(created_at) as oldest from (
          select d.created_at from ${range(sql`'Queued'`, sql`${FIRST_ID}::uuid`)}
          order by d.event_type, d.status, d.id limit ${RECENT_DELIVERIES}) queued) wait
    where ${partnerListFilter(partnerId)}`
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether a partner has a subscription, and whether one of the newest deliveries of each has succeeded. */
export async function findWebhookUse(
  { query }: Queryable,
  partnerId: string,
  among: number,
): Promise<{ readonly isSubscribed: boolean; readonly isDelivered: boolean }> {
  const { rows } = await sql<{ isSubscribed: boolean; isDelivered: boolean }>`
    select exists (select from webhook_subscriptions where partner_id = ${partnerId}::uuid) as "isSubscribed",
      exists (select from webhook_subscriptions s, lateral (
        select status from webhook_deliveries where partner_id = s.partner_id and subscription_id = s.id
        order by id desc limit ${among}) d
        where s.partner_id = ${partnerId}::uuid and d.status = 'Delivered') as "isDelivered"`.execute(query)
  return rows[0] ?? { isSubscribed: false, isDelivered: false }
}
