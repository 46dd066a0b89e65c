/** Every query on events and the positions of partners. */
import { sql } from 'kysely'
import type { Queryable } from '../foundation/database/atomically.ts'
import type { Event } from './event.ts'

/** Takes the partner's next position and keeps the event there, in one statement. Answers the position. */
export async function insertEvent({ query }: Queryable, event: Event): Promise<bigint> {
  const { rows } = await sql<{ position: bigint }>`
    with counted as (
      insert into event_positions as p (partner_id, position) values (${event.partnerId}, 1)
      on conflict (partner_id) do update set position = p.position + 1
      returning position)
    insert into events (partner_id, position, id, type, version, payment_id, occurred_at, body)
    select ${event.partnerId}, position, ${event.id}, ${event.type}, ${event.version}, ${event.paymentId},
      ${event.occurredAt.toString()}::timestamptz, ${event.body}
    from counted
    returning position`.execute(query)
  const [kept] = rows
  if (kept === undefined) {
    throw new Error(`The event ${event.id} was not kept`)
  }
  return kept.position
}

/** Locks the partner's position until the transaction ends; a partner without events gets one to lock. */
export async function lockPosition({ query }: Queryable, partnerId: string): Promise<void> {
  await sql`
    insert into event_positions as p (partner_id, position) values (${partnerId}, 0)
    on conflict (partner_id) do update set position = p.position`.execute(query)
}

/** The partner's events behind a position, in order. */
export async function listEvents(
  { query }: Queryable,
  partnerId: string,
  { after, limit, since }: { readonly after: bigint; readonly limit: number; readonly since?: Temporal.Instant },
): Promise<readonly (Event & { readonly position: bigint })[]> {
  const { rows } = await sql<Event & { readonly position: bigint }>`
    select partner_id as "partnerId", position, id, type, version, payment_id as "paymentId",
      occurred_at as "occurredAt", body
    from events
    where partner_id = ${partnerId} and position > ${String(after)}::bigint
      and occurred_at >= coalesce(${since?.toString() ?? null}::timestamptz, '-infinity')
    order by position limit ${limit}`.execute(query)
  return rows
}

/** The first position at which something occurred at a time or later; undefined when nothing did. */
export async function firstPositionSince(
  { query }: Queryable,
  partnerId: string,
  since: Temporal.Instant,
): Promise<bigint | undefined> {
  // Apart, so that the index of times serves: for the least position alone, all positions would be gone through.
  const { rows } = await sql<{ position: bigint | null }>`
    with found as materialized (
      select position from events where partner_id = ${partnerId} and occurred_at >= ${since.toString()}::timestamptz)
    select min(position) as position from found`.execute(query)
  return rows[0]?.position ?? undefined
}

/** The partner's newest position. */
export async function newestPosition({ query }: Queryable, partnerId: string): Promise<bigint> {
  const { rows } = await sql<{ position: bigint }>`
    select position from event_positions where partner_id = ${partnerId}`.execute(query)
  return rows[0]?.position ?? 0n
}
