/** Describes events, webhook subscriptions and deliveries to operators, and finds those of one subject. */
import { type RawBuilder, sql } from 'kysely'
import type { EventType } from '../../contract/webhooks/event-types.ts'
import type { PartnerRow, PartnerRows } from '../partners/partner-rows.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'

export const EVENT_ROWS: PartnerRows = { table: 'events', noun: 'event', label: sql`type` }
export const SUBSCRIPTION_ROWS: PartnerRows = { table: 'webhook_subscriptions', noun: 'webhook subscription' }

/** The delivery of the partner `o` with this id, as its id, type of event and subscription. */
export function deliveryWithId(id: string): RawBuilder<unknown> {
  return sql`
    select d.id, d.event_type as label, s.id as parent from webhook_subscriptions s join webhook_deliveries d
      on d.partner_id = s.partner_id and d.subscription_id = s.id and d.id = ${id}::uuid
    where s.partner_id = o.id`
}

type Subject = { readonly partnerId: string; readonly id: string }

/** An event as operators see it. */
export type ShownEvent = {
  readonly type: EventType
  readonly subjectId: string
  readonly occurredAt: Temporal.Instant
  readonly body: string
}

export async function getShownEvent({ query }: Queryable, { partnerId, id }: PartnerRow): Promise<ShownEvent> {
  const { rows } = await sql<ShownEvent>`
    select type, subject_id as "subjectId", occurred_at as "occurredAt", body
    from events where partner_id = ${partnerId} and id = ${id}`.execute(query)
  const [event] = rows
  if (event === undefined) {
    throw new Error(`The event ${id} does not exist`)
  }
  return event
}

/** A delivery of an event of a payment or of another subject. */
export type DeliveryOfSubject = {
  readonly id: string
  readonly eventId: string
  readonly subscriptionId: string
  readonly createdAt: Temporal.Instant
  readonly eventType: string
  readonly status: string
  readonly attemptsMade: number
  readonly targetUrl: string
}

/** Of a payment or another subject; with an event, only those of that one. */
export async function listDeliveriesOfSubject(
  { query }: Queryable,
  { partnerId, id }: Subject,
  eventId?: string,
): Promise<readonly DeliveryOfSubject[]> {
  const { rows } = await sql<DeliveryOfSubject>`
    select d.id, d.event_id as "eventId", d.subscription_id as "subscriptionId", d.created_at as "createdAt",
      d.event_type as "eventType", d.status, d.attempts_made as "attemptsMade", p.target_url as "targetUrl"
    from ${deliveriesOf(sql`${partnerId}::uuid`, sql`${id}::uuid`, eventId)} d
      join webhook_endpoints p
        on p.partner_id = d.partner_id and p.subscription_id = d.subscription_id and p.version = d.endpoint_version
    order by d.id`.execute(query)
  return rows
}

const DELIVERY = sql`
  d.partner_id, d.subscription_id, d.id, d.event_id, d.created_at, d.event_type, d.status, d.attempts_made, d.endpoint_version`

/**
 * The deliveries of the events of a payment or of another subject, in parentheses; with an event, only those of that one.
 * The id of a first delivery begins with the 64 bits of its event's stamp, so that it is found by the primary key;
 * repeated ones have an index. `offset 0` keeps the planner from looking for it in all subscriptions of the partner.
 */
function deliveriesOf(
  partnerId: RawBuilder<unknown>,
  subjectId: RawBuilder<unknown>,
  eventId?: string,
): RawBuilder<unknown> {
  const isOfEvent = (id: RawBuilder<unknown>) => (eventId === undefined ? sql`` : sql`and ${id} = ${eventId}::uuid`)
  return sql`(
    select ${DELIVERY}
    from events e join webhook_subscriptions s on s.partner_id = e.partner_id cross join lateral (
      select ${DELIVERY} from webhook_deliveries d
      where partner_id = s.partner_id and subscription_id = s.id and event_id = e.id and not retried_manually
        and id >= (left(coalesce(e.stamp, e.id)::text, 18) || '-0000-000000000000')::uuid
        and id <= (left(coalesce(e.stamp, e.id)::text, 18) || '-ffff-ffffffffffff')::uuid
      offset 0) d
    where e.partner_id = ${partnerId} and e.subject_id = ${subjectId} ${isOfEvent(sql`e.id`)}
    union all
    select ${DELIVERY} from webhook_deliveries d
    where d.partner_id = ${partnerId} and d.subject_id = ${subjectId} and d.retried_manually
      ${isOfEvent(sql`d.event_id`)})`
}

/** The version of the deliveries of the payment `p`, as a part of a statement. */
export const DELIVERIES_VERSION = sql`(
  select string_agg(d.status || d.attempts_made, ' ' order by d.id)
  from ${deliveriesOf(sql`p.partner_id`, sql`p.id`)} d)`
