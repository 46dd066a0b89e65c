/** Queries that enqueue deliveries or read the delivery log. */
import { sql } from 'kysely'
import { EVENT_TYPES, familyOf } from '../../../contract/webhooks/event-types.ts'
import { type WebhookAttempt, WebhookDeliveryStatus } from '../../../contract/webhooks/webhook-deliveries.ts'
import { TEST_EVENT } from '../../../contract/webhooks/webhook-events.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import type { ClaimedDelivery, Delivery, DeliveryKey } from './delivery.ts'
import type { Event } from './event.ts'

/** An event to deliver; deliveries are made in the order of their stamps, which are ids. */
export type OutboxEvent = {
  readonly stamp: string
  /** The stamp of the event itself; another one where it is enqueued later. */
  readonly firstStamp: string
  readonly eventId: string
  readonly eventType: string
  readonly subjectId: string
  readonly body: string
}

/** An event in the outbox: under its own stamp, or under a new one when it is enqueued later. */
export function outboxEventOf(
  { id, type, subjectId, body, stamp: firstStamp }: Pick<Event, 'id' | 'type' | 'subjectId' | 'body' | 'stamp'>,
  stamp: string = firstStamp,
): OutboxEvent {
  return { stamp, firstStamp, eventId: id, eventType: type, subjectId, body }
}

/** The subscriptions to enqueue for: all of the partner that select the event, or one. */
export type Recipients = {
  readonly partnerId: string
  readonly subscriptionId?: string | undefined
  /** Also paused ones, for those that are resumed. */
  readonly paused?: true
  /** Again, as if by hand: except for subscriptions to which an event still waits to be delivered. */
  readonly repeated?: true
}

/**
 * Enqueues events for each enabled subscription that selects them and is not paused, and returns the number of deliveries.
 * Ids have the time and the order of the stamps, and random bits of their own, because only the database knows how many
 * there will be.
 */
export async function enqueueDeliveries(
  transaction: Queryable,
  recipients: Recipients,
  events: readonly OutboxEvent[],
  now: Temporal.Instant,
): Promise<number> {
  const [at, repeated] = [now.toString(), recipients.repeated === true]
  const isLater = events.some(({ stamp, firstStamp }) => stamp !== firstStamp)
  const statement = sql`
    insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
      subject_id, body, status, ready, due_at, created_at, retried_manually)
    select s.partner_id, s.id, (left(e.stamp, 18) || right(gen_random_uuid()::text, 18))::uuid, s.endpoint_version,
      p.origin, e.event_id, e.event_type, e.subject_id, e.body, 'Queued', true, ${at}::timestamptz, ${at}::timestamptz,
      ${isLater && !repeated ? NONE_WAITS_BY_HAND : sql`${isLater}::boolean`}
    ${selection(recipients, events)}
    join webhook_endpoints p
      on p.partner_id = s.partner_id and p.subscription_id = s.id and p.version = s.endpoint_version
    ${repeated ? NOT_WAITING : sql``}
    order by e.stamp
    ${isLater ? UNLESS_REPEATED : sql``}`
  const { numAffectedRows } = await executePrepared(transaction, statement)
  return Number(numAffectedRows ?? 0n)
}

const NOT_WAITING = sql`where not exists (
  select from webhook_deliveries d
  where d.partner_id = s.partner_id and d.subscription_id = s.id and d.event_id = e.event_id and d.due_at is not null
    and d.id >= (left(e.first_stamp, 18) || '-0000-000000000000')::uuid
    and d.id <= (left(e.first_stamp, 18) || '-ffff-ffffffffffff')::uuid)`

/**
 * Deliveries that were not enqueued with their event are found by this mark (`listDeliveriesOfSubject`), which one that
 * waits can have for each event and subscription.
 */
const NONE_WAITS_BY_HAND = sql`not exists (
  select from webhook_deliveries d
  where d.partner_id = s.partner_id and d.subscription_id = s.id and d.event_id = e.event_id and d.retried_manually
    and d.due_at is not null)`

const UNLESS_REPEATED = sql`
  on conflict (partner_id, subscription_id, event_id) where retried_manually and due_at is not null do nothing`

/** How many deliveries enqueueing would create. */
export async function countDeliveries(
  { query }: Queryable,
  recipients: Recipients,
  events: readonly OutboxEvent[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${selection(recipients, events)}`.execute(query)
  return rows[0]?.count ?? 0
}

function selection({ partnerId, subscriptionId, paused }: Recipients, events: readonly OutboxEvent[]) {
  return sql`
    from jsonb_to_recordset(${JSON.stringify(events.map(rowOf))}::jsonb)
      as e(stamp text, first_stamp text, event_id uuid, event_type text, family text, subject_id uuid, body text)
    join webhook_subscriptions s on s.partner_id = ${partnerId} and s.enabled
      and s.event_types && array[e.event_type, e.family]
      and s.id = coalesce(${subscriptionId ?? null}::uuid, s.id) ${paused ? sql`` : sql`and s.paused_after is null`}`
}

function rowOf({ stamp, firstStamp, eventId, eventType, subjectId, body }: OutboxEvent): object {
  const named = { event_id: eventId, event_type: eventType, family: familyOf(eventType), subject_id: subjectId }
  return { stamp, first_stamp: firstStamp, ...named, body }
}

export type TestDelivery = Omit<ClaimedDelivery, 'attemptsMade'> & {
  readonly eventId: string
  readonly createdAt: Temporal.Instant
  /** Until then the process that created the test attempts it; after that the workers do. */
  readonly leaseSeconds: number
}

export async function insertDelivery({ query }: Queryable, delivery: TestDelivery): Promise<void> {
  const at = delivery.createdAt.toString()
  await sql`
    insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
      subject_id, body, status, ready, due_at, lease_until, created_at)
    values (${delivery.partnerId}, ${delivery.subscriptionId}, ${delivery.id}, ${delivery.endpointVersion},
      ${delivery.origin}, ${delivery.eventId}, ${delivery.eventType}, ${delivery.subjectId}, ${delivery.body}, 'Queued',
      true, ${at}::timestamptz, statement_timestamp() + ${delivery.leaseSeconds} * interval '1 second',
      ${at}::timestamptz)`.execute(query)
}

/** A row of the delivery log without its long columns. */
export type DeliverySummary = Omit<Delivery, 'attempts' | 'body' | 'targetUrl'>

const LISTED = sql`
  d.partner_id as "partnerId", d.subscription_id as "subscriptionId", d.id, d.event_id as "eventId",
  d.event_type as "eventType", d.status, d.created_at as "createdAt", d.attempts_made as "attemptsMade",
  d.due_at as "dueAt", d.attempts -> -1 ->> 'error' as "lastError", d.subject_id as "subjectId"`

/** The filters of a page of the log. */
export type DeliveryFilter = {
  readonly status?: WebhookDeliveryStatus | undefined
  readonly eventType?: string | undefined
  /** The last delivery of the previous page. */
  readonly before?: string | undefined
}

const STATUSES: readonly WebhookDeliveryStatus[] = WebhookDeliveryStatus.enum
const DELIVERED_TYPES: readonly string[] = [...EVENT_TYPES, TEST_EVENT]

/** A subscription's deliveries, newest first. Each requested type and status is one range of the log's index. */
export async function listDeliveries(
  { query }: Queryable,
  { partnerId, subscriptionId }: Omit<DeliveryKey, 'id'>,
  { status, eventType, before }: DeliveryFilter,
  limit: number,
): Promise<readonly DeliverySummary[]> {
  const place = sql`
    d.partner_id = ${partnerId} and d.subscription_id = ${subscriptionId}
    ${before === undefined ? sql`` : sql`and d.id < ${before}`}`
  const found =
    status === undefined && eventType === undefined
      ? sql`webhook_deliveries d where ${place}`
      : sql`
        unnest(${eventType === undefined ? DELIVERED_TYPES : [eventType]}::text[]) as of_type(event_type),
        unnest(${status === undefined ? STATUSES : [status]}::text[]) as standing(status), lateral (
          select * from webhook_deliveries d
          where ${place} and d.event_type = of_type.event_type and d.status = standing.status
          order by d.id desc limit ${limit}) d`
  const { rows } = await sql<DeliverySummary>`
    select ${LISTED} from ${found} order by d.id desc limit ${limit}`.execute(query)
  return rows
}

/** One delivery with all columns. */
export async function findDelivery({ query }: Queryable, key: DeliveryKey): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery & { readonly attempts: readonly WebhookAttempt[] }>`
    select ${LISTED}, d.attempts, d.body, e.target_url as "targetUrl"
    from webhook_deliveries d
    join webhook_endpoints e on e.partner_id = d.partner_id and e.subscription_id = d.subscription_id
      and e.version = d.endpoint_version
    where d.partner_id = ${key.partnerId} and d.subscription_id = ${key.subscriptionId} and d.id = ${key.id}`.execute(
    query,
  )
  return rows[0]
}
