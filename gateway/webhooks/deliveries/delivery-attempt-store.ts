/** The statements around attempts: keeping what became of them, taking them up again, counting what is ready. */
import { type RawBuilder, sql } from 'kysely'
import type { WebhookAttempt } from '../../../contract/webhooks/webhook-deliveries.ts'
import type { Database } from '../../platform/database/database.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import type { DeliveryKey, Standing } from './delivery.ts'

// Statements here have no names: a plan that was made while the table was nearly empty would be kept while it fills.

/** What became of an attempt. */
export type AttemptToKeep = DeliveryKey &
  Standing & {
    /** Counted from one. */
    readonly number: number
    /** How far business time was ahead, in milliseconds, when `dueAt` was told by it. */
    readonly clockOffset: number
    readonly attempt: WebhookAttempt
  }

/**
 * Keeps what became of attempts. One that another worker has made since, because this one was held up, is dropped:
 * what that one learned counts. A business clock that was moved since moves the next attempt with it. Answers which were
 * kept, in order.
 */
export async function keepAttempts(
  { pool }: Database<unknown>,
  attempts: readonly AttemptToKeep[],
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
  const kept = new Set(rows.map(({ id }) => id))
  return attempts.map(({ id }) => kept.has(id))
}

/** Makes up to `limit` deliveries ready whose time has come, and says how many. */
export async function makeReady({ pool }: Database<unknown>, now: Temporal.Instant, limit: number): Promise<number> {
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

/** Selects when the first of the deliveries that wait for a time is due. */
export const nextRetryStatement: RawBuilder<{ dueAt: Temporal.Instant }> = sql`
  select due_at as "dueAt" from webhook_deliveries where not ready and due_at is not null order by due_at limit 1`

/** When the first of the deliveries that wait for a time is due. */
export async function nextRetry({ query }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await nextRetryStatement.execute(query)
  return rows[0]?.dueAt ?? null
}

/** Selects a time that is over when something is ready; the order is that of the index of what is ready, and of no other. */
export const anyReadyStatement: RawBuilder<unknown> = sql`
  select 'epoch'::timestamptz from webhook_deliveries where ready order by partner_id, origin limit 1`

/** Since when something is ready; null when nothing is. */
export async function readySince({ pool }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ dueAt: Temporal.Instant | null }>(`
    select due_at as "dueAt" from webhook_deliveries where ready limit 1`)
  return rows[0]?.dueAt ?? null
}

/** How much is ready, and since when the oldest of it is. */
export async function countReady({
  pool,
}: Database<unknown>): Promise<{ readonly ready: number; readonly since: Temporal.Instant | null }> {
  const { rows } = await pool.query<{ ready: number; since: Temporal.Instant | null }>(
    'select count(*)::int as ready, min(due_at) as since from webhook_deliveries where ready',
  )
  return rows[0] ?? { ready: 0, since: null }
}

/**
 * Business time went back: what waits for a time ahead of it waits no longer. Outcomes that are being kept by the time
 * of before are waited for, because they would wait for that time to come again.
 */
export async function recallRetries(database: Database<unknown>, now: Temporal.Instant): Promise<void> {
  await atomically(database, async ({ query }) => {
    await sql`lock table webhook_deliveries in share row exclusive mode`.execute(query)
    const at = sql`${now.toString()}::timestamptz`
    await sql`update webhook_deliveries set due_at = ${at} where not ready and due_at > ${at}`.execute(query)
  })
}
