/** Queries on delivery attempts: record outcomes, make due retries ready, count ready deliveries. */
import { type RawBuilder, sql } from 'kysely'
import type { WebhookAttempt } from '../../../contract/webhooks/webhook-deliveries.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { DeliveryKey, DeliveryState } from './delivery.ts'

// Statements here are unnamed: a plan that was prepared while the table was nearly empty would be reused while it
// fills.

export type AttemptRecord = DeliveryKey &
  DeliveryState & {
    /** Counted from one. */
    readonly number: number
    /** The offset of business time, in milliseconds, when `dueAt` was computed. */
    readonly clockOffset: number
    readonly attempt: WebhookAttempt
  }

/**
 * Records the outcomes of attempts. An outcome is dropped when another worker has made a later attempt meanwhile: the
 * later one counts. When the business clock was moved since, the next attempt moves with it. Returns per attempt
 * whether it was recorded, in order.
 */
export async function recordAttempts(
  { pool }: Database<unknown>,
  attempts: readonly AttemptRecord[],
): Promise<readonly boolean[]> {
  const { rows } = await pool.query<{ id: string }>({
    text: `
      update webhook_deliveries d set status = r.status, attempts = d.attempts || r.attempt, attempts_made = r.number,
        ready = false, lease_until = null,
        due_at = r."dueAt" + (c.offset_milliseconds - r."clockOffset") * interval '1 millisecond'
      from business_clock c, json_to_recordset($1::json) as r("partnerId" uuid, "subscriptionId" uuid, id uuid,
        number int, status text, "dueAt" timestamptz, "clockOffset" bigint, attempt jsonb)
      where d.partner_id = r."partnerId" and d.subscription_id = r."subscriptionId" and d.id = r.id
        and d.attempts_made = r.number - 1 and d.status = 'Queued'
      returning r.id`,
    values: [JSON.stringify(attempts)],
  })
  const recorded = new Set(rows.map(({ id }) => id))
  return attempts.map(({ id }) => recorded.has(id))
}

/** Makes a claimed delivery due later, unless another worker has made an attempt since. */
export async function putBackDelivery(
  { pool }: Database<unknown>,
  { partnerId, subscriptionId, id, attemptsMade }: DeliveryKey & { readonly attemptsMade: number },
  dueAt: Temporal.Instant,
): Promise<void> {
  await pool.query(
    `update webhook_deliveries set ready = false, lease_until = null, due_at = $5
     where partner_id = $1 and subscription_id = $2 and id = $3 and attempts_made = $4 and status = 'Queued'`,
    [partnerId, subscriptionId, id, attemptsMade, dueAt.toString()],
  )
}

/** Makes up to `limit` due deliveries ready, and returns how many. */
export async function markDueDeliveriesReady(
  { pool }: Database<unknown>,
  now: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rowCount } = await pool.query({
    text: `
      update webhook_deliveries d set ready = true
      from (
        select partner_id, subscription_id, id from webhook_deliveries
        where not ready and due_at is not null and due_at <= $1::timestamptz
        order by due_at, sequence limit $2 for update skip locked) f
      where d.partner_id = f.partner_id and d.subscription_id = f.subscription_id and d.id = f.id`,
    values: [now.toString(), limit],
  })
  return rowCount ?? 0
}

/** Up to `limit` deliveries that are due and not ready yet. */
export async function listDueDeliveries(
  { pool }: Database<unknown>,
  now: Temporal.Instant,
  limit: number,
): Promise<readonly (DeliveryKey & { readonly attemptsMade: number })[]> {
  const { rows } = await pool.query<DeliveryKey & { attemptsMade: number }>(
    `select partner_id as "partnerId", subscription_id as "subscriptionId", id, attempts_made as "attemptsMade"
     from webhook_deliveries where not ready and due_at is not null and due_at <= $1::timestamptz
     order by due_at, sequence limit $2`,
    [now.toString(), limit],
  )
  return rows
}

/** Makes one of them ready. */
export async function markDeliveryReady(
  { pool }: Database<unknown>,
  { partnerId, subscriptionId, id }: DeliveryKey,
): Promise<void> {
  await pool.query(
    `update webhook_deliveries set ready = true
     where partner_id = $1 and subscription_id = $2 and id = $3 and not ready and due_at is not null`,
    [partnerId, subscriptionId, id],
  )
}

/** Selects when the first waiting delivery is due. */
export const nextRetryStatement: RawBuilder<{ dueAt: Temporal.Instant }> = sql`
  select due_at as "dueAt" from webhook_deliveries where not ready and due_at is not null order by due_at limit 1`

/** When the first waiting delivery is due. */
export async function nextRetryAt({ query }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await nextRetryStatement.execute(query)
  return rows[0]?.dueAt ?? null
}

/** Selects a past time when a delivery is ready; the order matches only the index of ready deliveries. */
export const anyReadyStatement: RawBuilder<unknown> = sql`
  select 'epoch'::timestamptz from webhook_deliveries where ready order by partner_id, origin limit 1`

/** Since when a delivery is ready; null when none is. */
export async function readySince({ pool }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ dueAt: Temporal.Instant | null }>(`
    select due_at as "dueAt" from webhook_deliveries where ready limit 1`)
  return rows[0]?.dueAt ?? null
}

/** The number of ready deliveries, and since when the oldest is ready. */
export async function countReadyDeliveries({
  pool,
}: Database<unknown>): Promise<{ readonly ready: number; readonly since: Temporal.Instant | null }> {
  const { rows } = await pool.query<{ ready: number; since: Temporal.Instant | null }>(
    'select count(*)::int as ready, min(due_at) as since from webhook_deliveries where ready',
  )
  return rows[0] ?? { ready: 0, since: null }
}

/**
 * Business time was moved back: deliveries with a future due time become due now. The lock waits for outcomes that are
 * being recorded with the former time, because they would wait for that time to come again.
 */
export async function rescheduleRetries(database: Database<unknown>, now: Temporal.Instant): Promise<void> {
  await inTransaction({ database }, async ({ database: { query } }) => {
    await sql`lock table webhook_deliveries in share row exclusive mode`.execute(query)
    const at = sql`${now.toString()}::timestamptz`
    await sql`update webhook_deliveries set due_at = ${at} where not ready and due_at > ${at}`.execute(query)
  })
}
