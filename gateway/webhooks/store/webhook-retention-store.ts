/** Retention queries, in batches: delete old deliveries and unreferenced endpoint versions and secrets. */
import type { Database } from '../../platform/database/database.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'

/** Retention limits by both clocks. */
export type DeliveryCutoff = {
  /** Business time. */
  readonly createdBefore: Temporal.Instant
  /** By id, which contains wall time. */
  readonly belowId: string
}

/** How many subscriptions' oldest deliveries one statement deletes, and how many of each. */
const SUBSCRIPTIONS_PER_BATCH = 20
const DELIVERIES_PER_SUBSCRIPTION = 500

/**
 * Deletes old deliveries and returns how many; waiting ones stay. Each log is read from its oldest entry: those that
 * are old by their id, and the first few where business time ran ahead; a waiting backlog is not read entirely.
 */
export async function deleteOldDeliveries(
  { pool }: Database<unknown>,
  { createdBefore, belowId }: DeliveryCutoff,
  { limit, offset }: BatchRange,
): Promise<number> {
  const { rowCount } = await pool.query(
    `with heads as materialized (
       select s.partner_id, s.id as subscription_id, h.id from webhook_subscriptions s, lateral (
         (select id from webhook_deliveries
          where partner_id = s.partner_id and subscription_id = s.id and id < $2::uuid and due_at is null
          order by id limit 1)
         union all
         (select id from (
            select id, created_at, due_at from webhook_deliveries
            where partner_id = s.partner_id and subscription_id = s.id order by id limit ${DELIVERIES_PER_SUBSCRIPTION}) first
          where due_at is null and created_at < $1::timestamptz order by id limit 1)
         limit 1) h
       limit ${SUBSCRIPTIONS_PER_BATCH}),
     old as materialized (
       select o.partner_id, o.subscription_id, o.id from heads h, lateral (
         select partner_id, subscription_id, id, created_at, due_at from webhook_deliveries
         where partner_id = h.partner_id and subscription_id = h.subscription_id and id >= h.id
         order by id limit ${DELIVERIES_PER_SUBSCRIPTION}) o
       where o.due_at is null and (o.created_at < $1::timestamptz or o.id < $2::uuid)
       order by o.partner_id, o.subscription_id, o.id limit $3 offset $4)
     delete from webhook_deliveries d using old o
     where d.partner_id = o.partner_id and d.subscription_id = o.subscription_id and d.id = o.id`,
    [createdBefore.toString(), belowId, limit, offset],
  )
  return rowCount ?? 0
}

/**
 * Deletes replaced endpoint versions that no delivery refers to any more, and returns how many. The oldest delivery of
 * the subscription decides; a version that was replaced just now may still get one.
 */
export async function deleteUnreferencedEndpoints(
  { pool }: Database<unknown>,
  presentId: string,
  { limit, offset }: BatchRange,
): Promise<number> {
  const { rowCount } = await pool.query(
    `with unused as materialized (
       select partner_id, subscription_id, version from webhook_endpoints e
       where referenced_below_id < $1::uuid and coalesce((
         select id from webhook_deliveries d
         where d.partner_id = e.partner_id and d.subscription_id = e.subscription_id order by id limit 1
       ) >= referenced_below_id, true)
       order by partner_id, subscription_id, version limit $2 offset $3)
     delete from webhook_endpoints e using unused u
     where e.partner_id = u.partner_id and e.subscription_id = u.subscription_id and e.version = u.version`,
    [presentId, limit, offset],
  )
  return rowCount ?? 0
}

/**
 * Deletes the secrets of subscriptions that are disabled, unchanged since a time and without deliveries; returns how
 * many.
 */
export async function clearUnusedSecrets(
  { pool }: Database<unknown>,
  changedBefore: Temporal.Instant,
  { limit, offset }: BatchRange,
): Promise<number> {
  const { rowCount } = await pool.query(
    `with ended as materialized (
       select e.partner_id, e.subscription_id, e.version from webhook_subscriptions s
       join webhook_endpoints e
         on e.partner_id = s.partner_id and e.subscription_id = s.id and e.version = s.endpoint_version
       where not s.enabled and s.updated_at < $1::timestamptz and e.signing_secret_sealed is not null and (
         select id from webhook_deliveries d
         where d.partner_id = s.partner_id and d.subscription_id = s.id order by id limit 1
       ) is null
       order by s.updated_at, s.partner_id, s.id limit $2 offset $3 for update of s, e skip locked)
     update webhook_endpoints e set signing_secret_sealed = null, bearer_token_sealed = null from ended u
     where e.partner_id = u.partner_id and e.subscription_id = u.subscription_id and e.version = u.version`,
    [changedBefore.toString(), limit, offset],
  )
  return rowCount ?? 0
}
