/** Every query on events and the positions of partners. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Event } from './event.ts'

/** An event in its place. */
type PlacedEvent = Event & { readonly position: bigint }

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

/** Events behind a position, in order. */
export type EventRange = { readonly after: bigint; readonly limit: number; readonly since?: Temporal.Instant }

const EVENT = sql`
  e.partner_id as "partnerId", e.position, e.id, e.type, e.version, e.payment_id as "paymentId",
  e.occurred_at as "occurredAt", e.body`

/** The partner's events behind a position, and up to which position there are none any more: as of one moment. */
export async function listEvents(
  { query }: Queryable,
  partnerId: string,
  { after, limit, since }: EventRange,
): Promise<{ readonly events: readonly PlacedEvent[]; readonly forgottenTo: bigint }> {
  const sinceThen = since === undefined ? sql`` : sql`and occurred_at >= ${since.toString()}::timestamptz`
  const { rows } = await sql<{ forgottenTo: bigint } & (PlacedEvent | { position: null })>`
    select p.forgotten_to as "forgottenTo", ${EVENT}
    from event_positions p left join lateral (
      select * from events
      where partner_id = p.partner_id and position > ${String(after)}::bigint ${sinceThen}
      order by position limit ${limit}) e on true
    where p.partner_id = ${partnerId}
    order by e.position`.execute(query)
  const events = rows.flatMap((row) => (row.position === null ? [] : [row]))
  return { events, forgottenTo: rows[0]?.forgottenTo ?? 0n }
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

/** What is old by one of the two clocks. */
export type EventAge = {
  /** Business time. */
  readonly occurredBefore: Temporal.Instant
  /** Told by ids, which have wall time. */
  readonly belowId: string
}

/** Partners whose oldest events are deleted in one statement, and how many of each. */
const FORGOTTEN_AT_ONCE = { partners: 20, events: 500 }

/**
 * Deletes partners' oldest events while they are old, and says how many. What is left of a partner has no gaps: one that
 * is not old keeps those behind it.
 */
export async function forgetOldest({ query }: Queryable, { occurredBefore, belowId }: EventAge): Promise<number> {
  const isOld = sql`(occurred_at < ${occurredBefore.toString()}::timestamptz or id < ${belowId}::uuid)`
  const { rows } = await sql<{ count: number }>`
    with heads as materialized (
      select p.partner_id, h.position from event_positions p, lateral (
        select position, ${isOld} as old from events
        where partner_id = p.partner_id and position > p.forgotten_to order by position limit 1) h
      where h.old limit ${FORGOTTEN_AT_ONCE.partners}),
    ended as materialized (
      select o.partner_id, o.position from heads h, lateral (
        select partner_id, position, bool_and(${isOld}) over (order by position) as old from (
          select partner_id, position, occurred_at, id from events
          where partner_id = h.partner_id and position >= h.position
          order by position limit ${FORGOTTEN_AT_ONCE.events}) oldest) o
      where o.old),
    gone as (
      delete from events e using ended o where e.partner_id = o.partner_id and e.position = o.position
      returning e.partner_id, e.position),
    noted as (
      update event_positions p set forgotten_to = greatest(p.forgotten_to, g.up_to)
      from (select partner_id, max(position) as up_to from gone group by partner_id) g
      where p.partner_id = g.partner_id)
    select count(*)::int as count from gone`.execute(query)
  return rows[0]?.count ?? 0
}
