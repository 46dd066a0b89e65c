/** Queries that find queues with ready deliveries and claim deliveries under a lease. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { hasFailedExpression } from '../../platform/jobs/failed-row-store.ts'
import { isUnleased } from '../../platform/jobs/lease.ts'
import { type ClaimedDelivery, WEBHOOK_DELIVERIES } from './delivery.ts'

// Statements here are unnamed: a plan that was prepared while the table was nearly empty would be reused while it
// fills.

/** The delivery queue of one partner and one origin. */
export type DeliveryQueue = { readonly partnerId: string; readonly origin: string }

/** How many deliveries of a queue to claim at most. */
export type QueueClaim = DeliveryQueue & { readonly take: number }

/** A claimed delivery, and whether attempting it has failed here since it last succeeded. */
export type LeasedDelivery = ClaimedDelivery & { readonly hasFailed: boolean }

export const BEFORE_FIRST_QUEUE: DeliveryQueue = { partnerId: '00000000-0000-0000-0000-000000000000', origin: '' }

/** Twice an attempt: a claimed delivery is attempted at once, and no other worker may do so before that has ended. */
export const DELIVERY_LEASE_SECONDS = 20

/**
 * How many of a queue's oldest ready deliveries a claim reads. It bounds what all workers together have in flight there,
 * and is more than one of them may have.
 */
const CLAIM_WINDOW = 40

/** By the database's clock, because those of workers may differ. */
const IS_UNLEASED = isUnleased(sql`statement_timestamp()`)

/**
 * Queues behind the given one with deliveries ready for a worker, in order. Each costs one index step; the order matches
 * only the index of ready deliveries, so that the planner does not choose one that also covers finished deliveries.
 */
export async function findReadyQueues(
  { query }: Database<unknown>,
  { partnerId, origin }: DeliveryQueue,
  limit: number,
): Promise<readonly DeliveryQueue[]> {
  const firstBehind = (place: RawBuilder<unknown>) => sql`
    select partner_id, origin from webhook_deliveries
    where ready and ${IS_UNLEASED} and (partner_id, origin) > (${place}) order by partner_id, origin limit 1`
  const { rows } = await sql<DeliveryQueue>`
    with recursive queues as (
      (${firstBehind(sql`${partnerId}::uuid, ${origin}::text`)})
      union all
      select next.* from queues q, lateral (${firstBehind(sql`q.partner_id, q.origin`)}) next)
    select partner_id as "partnerId", origin from queues limit ${limit}`.execute(query)
  return rows
}

/**
 * Leases the oldest ready deliveries of queues to the caller, oldest first. Of one subscription and subject only the
 * oldest is claimed, and none while one is leased, so that they are made one after the other whichever workers do it. A
 * delivery that another worker is claiming is skipped.
 */
export async function claimReadyDeliveries(
  { query }: Database<unknown>,
  claims: readonly QueueClaim[],
): Promise<readonly LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    with chosen as materialized (
      select q.partner_id, q.origin, f.sequence
      from unnest(${claims.map(({ partnerId }) => partnerId)}::uuid[], ${claims.map(({ origin }) => origin)}::text[],
        ${claims.map(({ take }) => take)}::int[]) as q(partner_id, origin, take), lateral (
        select min(sequence) as sequence
        from (
          select subscription_id, coalesce(subject_id, id) as subject, sequence, ${IS_UNLEASED} as unleased
          from webhook_deliveries where ready and partner_id = q.partner_id and origin = q.origin
          order by sequence limit ${CLAIM_WINDOW}) oldest
        group by subscription_id, subject having bool_and(unleased)
        order by 1 limit q.take) f),
    locked as materialized (
      select d.partner_id, d.subscription_id, d.id from chosen c join webhook_deliveries d
        on d.partner_id = c.partner_id and d.origin = c.origin and d.sequence = c.sequence
      where d.ready and ${IS_UNLEASED} for update of d skip locked),
    claimed as (
      update webhook_deliveries d
      set lease_until = statement_timestamp() + make_interval(secs => ${DELIVERY_LEASE_SECONDS})
      from locked l where d.partner_id = l.partner_id and d.subscription_id = l.subscription_id and d.id = l.id
      returning d.*)
    select partner_id as "partnerId", subscription_id as "subscriptionId", id, endpoint_version as "endpointVersion",
      origin, event_type as "eventType", subject_id as "subjectId", body, attempts_made as "attemptsMade",
      ${sql.raw(hasFailedExpression(WEBHOOK_DELIVERIES, 'claimed'))} as "hasFailed"
    from claimed order by sequence`.execute(query)
  return rows
}
