/** Queries that attempt several deliveries of a subscription now: those that wait, and again those that have ended. */
import { type RawBuilder, sql } from 'kysely'
import { EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { SubscriptionKey } from './subscription.ts'

/** Deliveries by their ids; or all that failed and were not repeated by hand since. */
export type DeliverySelection = readonly string[] | 'failed'

/** Makes deliveries due that wait for their next attempt, which stays one of the schedule; returns how many. */
export async function advanceDeliveries(
  { query }: Queryable,
  { partnerId, id }: SubscriptionKey,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set ready = true, due_at = ${now.toString()}::timestamptz
    where partner_id = ${partnerId} and subscription_id = ${id} and id = any(${[...ids]}::uuid[])
      and status = 'Queued' and not ready and due_at is not null`.execute(query)
  return Number(numAffectedRows ?? 0n)
}

/** How many deliveries would be enqueued again, at most `limit`. */
export async function countRepeatable(
  { query }: Queryable,
  key: SubscriptionKey,
  selection: DeliverySelection,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct d.event_id)::int as count from (${endedDeliveries(key, selection, limit)}) d`.execute(query)
  return rows[0]?.count ?? 0
}

/**
 * Enqueues the events of ended deliveries again, in their order, for the current endpoint of an enabled subscription;
 * returns the ids of the new deliveries. One that waits already after it was enqueued by hand is left out.
 */
export async function requeueDeliveries(
  { query }: Queryable,
  key: SubscriptionKey,
  selection: DeliverySelection,
  { stamp, now, limit }: { readonly stamp: string; readonly now: Temporal.Instant; readonly limit: number },
): Promise<readonly string[]> {
  const at = now.toString()
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
      subject_id, body, status, ready, due_at, created_at, retried_manually)
    select d.partner_id, d.subscription_id, (left(${stamp}::text, 18) || right(gen_random_uuid()::text, 18))::uuid,
      s.endpoint_version, p.origin, d.event_id, d.event_type, d.subject_id, d.body, 'Queued', true, ${at}::timestamptz,
      ${at}::timestamptz, true
    from (${endedDeliveries(key, selection, limit)}) d
    join webhook_subscriptions s on s.partner_id = d.partner_id and s.id = d.subscription_id and s.enabled
    join webhook_endpoints p
      on p.partner_id = s.partner_id and p.subscription_id = s.id and p.version = s.endpoint_version
    order by d.sequence
    on conflict (partner_id, subscription_id, event_id) where retried_manually and due_at is not null do nothing
    returning id`.execute(query)
  return rows.map(({ id }) => id)
}

/** The oldest first. Each type and status of those that failed is one range of the log's index; tests are no events. */
function endedDeliveries(
  { partnerId, id }: SubscriptionKey,
  selection: DeliverySelection,
  limit: number,
): RawBuilder<unknown> {
  const own = sql`x.partner_id = ${partnerId}::uuid and x.subscription_id = ${id}::uuid`
  if (selection !== 'failed') {
    return sql`
      select * from webhook_deliveries x where ${own} and x.id = any(${[...selection]}::uuid[]) and x.status <> 'Queued'
      order by x.sequence limit ${limit}`
  }
  return sql`
    select d.* from unnest(${EVENT_TYPES}::text[]) of_type(event_type), unnest(array['Failed', 'Refused']) ended(status), lateral (
      select * from webhook_deliveries x
      where ${own} and x.event_type = of_type.event_type and x.status = ended.status and not exists (
        select from webhook_deliveries r
        where r.partner_id = x.partner_id and r.subject_id = x.subject_id and r.retried_manually and r.id > x.id
          and r.subscription_id = x.subscription_id and r.event_id = x.event_id)
      order by x.id limit ${limit}) d
    order by d.sequence limit ${limit}`
}
