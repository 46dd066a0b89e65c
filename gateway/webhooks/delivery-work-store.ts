/** The statements of delivering: which lanes have work, claiming it, keeping what became of it, forgetting it in time. */
import type { WebhookAttempt } from '../../contract/webhook-deliveries.ts'
import type { Database } from '../foundation/database/database.ts'
import type { ClaimedDelivery, DeliveryKey, Standing } from './delivery.ts'

// Statements here have no names: a plan that was made while the table was nearly empty would be kept while it fills.

/** What waits for one origin on behalf of one partner. */
export type Lane = { readonly partnerId: string; readonly origin: string }

/** How many deliveries of a lane to claim. */
export type LaneShare = Lane & { readonly take: number }

/** More lanes than this are seen to in turns: those that were seen to are shorter at the next look. */
const LANES_MAX = 1_000

/** The lanes in which something is ready, those under lease included. Each costs one step down the index. */
export async function readyLanes({ pool }: Database<unknown>): Promise<readonly Lane[]> {
  const { rows } = await pool.query<Lane>({
    text: `
      with recursive lanes as (
        (select partner_id, origin from webhook_deliveries where ready order by partner_id, origin limit 1)
        union all
        select next.partner_id, next.origin from lanes l, lateral (
          select partner_id, origin from webhook_deliveries
          where ready and (partner_id, origin) > (l.partner_id, l.origin)
          order by partner_id, origin limit 1) next)
      select partner_id as "partnerId", origin from lanes limit ${LANES_MAX}`,
  })
  return rows
}

/** Claims the oldest deliveries of lanes under a lease; those that another worker has are passed over. */
export async function claimDeliveries(
  { pool }: Database<unknown>,
  shares: readonly LaneShare[],
  { real, leaseUntil }: { readonly real: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>({
    text: `
      with found as materialized (
        select d.* from unnest($1::uuid[], $2::text[], $3::int[]) as l(partner_id, origin, take), lateral (
          select partner_id, subscription_id, id from webhook_deliveries
          where ready and partner_id = l.partner_id and origin = l.origin
            and (lease_until is null or lease_until < $4::timestamptz)
          order by id limit l.take for update skip locked) d)
      update webhook_deliveries d set lease_until = $5::timestamptz
      from found f
      where d.partner_id = f.partner_id and d.subscription_id = f.subscription_id and d.id = f.id
      returning d.partner_id as "partnerId", d.subscription_id as "subscriptionId", d.id,
        d.endpoint_version as "endpointVersion", d.origin, d.event_type as "eventType", d.subject_id as "subjectId",
        d.body, d.attempts_made as "attemptsMade"`,
    values: [
      shares.map(({ partnerId }) => partnerId),
      shares.map(({ origin }) => origin),
      shares.map(({ take }) => take),
      real.toString(),
      leaseUntil.toString(),
    ],
  })
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** What became of an attempt. */
export type AttemptToKeep = DeliveryKey &
  Standing & {
    /** Counted from one. */
    readonly number: number
    readonly attempt: WebhookAttempt
  }

/**
 * Keeps what became of attempts. An attempt whose lease ran out and that another worker has made since is dropped:
 * what that one learned counts. Answers which were kept, in order.
 */
export async function keepAttempts(
  { pool }: Database<unknown>,
  attempts: readonly AttemptToKeep[],
): Promise<readonly boolean[]> {
  const { rows } = await pool.query<{ position: number }>({
    text: `
      update webhook_deliveries d set status = r.status, attempts = d.attempts || r.attempt, attempts_made = r.number,
        ready = false, due_at = r.due_at, lease_until = null
      from jsonb_to_recordset($1::jsonb) as r(position int, partner_id uuid, subscription_id uuid, id uuid, number int,
        status text, due_at timestamptz, attempt jsonb)
      where d.partner_id = r.partner_id and d.subscription_id = r.subscription_id and d.id = r.id
        and d.attempts_made = r.number - 1 and d.status = 'Queued'
      returning r.position`,
    values: [JSON.stringify(attempts.map(rowOf))],
  })
  const kept = new Set(rows.map(({ position }) => position))
  return attempts.map((_, position) => kept.has(position))
}

function rowOf(kept: AttemptToKeep, position: number): object {
  const { partnerId, subscriptionId, id, number, status, dueAt, attempt } = kept
  const due = dueAt?.toString() ?? null
  return { position, partner_id: partnerId, subscription_id: subscriptionId, id, number, status, due_at: due, attempt }
}

/** Makes up to `limit` deliveries ready whose time has come, and says how many. */
export async function makeReady({ pool }: Database<unknown>, now: Temporal.Instant, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    text: `
      update webhook_deliveries d set ready = true
      from (
        select partner_id, subscription_id, id from webhook_deliveries
        where not ready and due_at is not null and due_at <= $1::timestamptz
        order by due_at limit $2 for update skip locked) f
      where d.partner_id = f.partner_id and d.subscription_id = f.subscription_id and d.id = f.id`,
    values: [now.toString(), limit],
  })
  return rowCount ?? 0
}

/** When the first of the deliveries that wait for a time is due. */
export async function nextRetry({ pool }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ dueAt: Temporal.Instant }>(`
    select due_at as "dueAt" from webhook_deliveries where not ready and due_at is not null order by due_at limit 1`)
  return rows[0]?.dueAt ?? null
}

/** Since when something is ready; null when nothing is. */
export async function readySince({ pool }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ dueAt: Temporal.Instant | null }>(`
    select due_at as "dueAt" from webhook_deliveries where ready limit 1`)
  return rows[0]?.dueAt ?? null
}

/** Business time went back: what waits for a time ahead of it waits no longer. */
export async function recallRetries({ pool }: Database<unknown>, now: Temporal.Instant): Promise<void> {
  await pool.query(
    'update webhook_deliveries set due_at = $1::timestamptz where not ready and due_at > $1::timestamptz',
    [now.toString()],
  )
}

/**
 * Deletes up to `limit` deliveries whose ids are older than one, and says how many; what still waits stays. Ids tell
 * when a delivery was queued, so the primary key serves, subscription by subscription.
 */
export async function forgetDeliveries({ pool }: Database<unknown>, beforeId: string, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from webhook_deliveries d using (
       select o.* from webhook_subscriptions s, lateral (
         select partner_id, subscription_id, id from webhook_deliveries
         where partner_id = s.partner_id and subscription_id = s.id and id < $1::uuid and due_at is null
         order by id limit $2) o
       limit $2) o
     where d.partner_id = o.partner_id and d.subscription_id = o.subscription_id and d.id = o.id`,
    [beforeId, limit],
  )
  return rowCount ?? 0
}
