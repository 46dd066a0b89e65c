/** Queries on events and the stream positions of partners. */
import { sql } from 'kysely'
import type { EventType } from '../../../contract/webhooks/event-types.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'
import type { Event } from './event.ts'

type PositionedEvent = Event & { readonly position: bigint }

/** Assigns the partner's next position and stores the event there, in one statement. Returns the position. */
export async function insertEvent(transaction: Queryable, event: Event): Promise<bigint> {
  const statement = sql<{ position: bigint }>`
    with counted as (
      insert into event_positions as p (partner_id, position) values (${event.partnerId}, 1)
      on conflict (partner_id) do update set position = p.position + 1
      returning position)
    insert into events (partner_id, position, id, stamp, type, version, subject_id, occurred_at, body)
    select ${event.partnerId}, position, ${event.id}, ${event.stamp}, ${event.type}, ${event.version}, ${event.subjectId},
      ${event.occurredAt.toString()}::timestamptz, ${event.body}
    from counted
    returning position`
  const { rows } = await executePrepared(transaction, statement)
  const [stored] = rows
  if (stored === undefined) {
    throw new Error(`The event ${event.id} was not stored`)
  }
  return stored.position
}

/** Stores events at the partner's next positions, in their order. */
export async function insertEvents(transaction: Queryable, partnerId: string, events: readonly Event[]): Promise<void> {
  const column = <Value>(read: (event: Event) => Value) => events.map(read)
  const statement = sql`
    with counted as (
      insert into event_positions as p (partner_id, position) values (${partnerId}, ${events.length}::bigint)
      on conflict (partner_id) do update set position = p.position + ${events.length}::bigint
      returning position)
    insert into events (partner_id, position, id, stamp, type, version, subject_id, occurred_at, body)
    select ${partnerId}, c.position - ${events.length}::bigint + e.number, e.id, e.stamp, e.type, e.version, e.subject_id,
      e.occurred_at, e.body
    from counted c, unnest(${column(({ id }) => id)}::uuid[], ${column(({ stamp }) => stamp)}::uuid[], ${column(({ type }) => type)}::text[],
      ${column(({ version }) => version)}::text[], ${column(({ subjectId }) => subjectId)}::uuid[],
      ${column(({ occurredAt }) => occurredAt.toString())}::timestamptz[], ${column(({ body }) => body)}::text[])
      with ordinality as e(id, stamp, type, version, subject_id, occurred_at, body, number)`
  await executePrepared(transaction, statement)
}

/** The last stored events of subjects: the time of each one's last, and the id of the last by subject and type. */
export type EarlierEvents = {
  readonly lastTimes: Map<string, Temporal.Instant>
  /** By subject id and type with a space between. */
  readonly lastIds: Map<string, string>
}

/** Subjects without events are missing. */
export async function findEarlierEvents(
  transaction: Queryable,
  partnerId: string,
  subjectIds: readonly string[],
): Promise<EarlierEvents> {
  const statement = sql<{ subjectId: string; type: string; id: string; occurredAt: Temporal.Instant }>`
    select s.id as "subjectId", e.type, e.id, e.occurred_at as "occurredAt"
    from unnest(${subjectIds}::uuid[]) s(id), lateral (
      select distinct on (type) type, id, occurred_at, position from events
      where partner_id = ${partnerId} and subject_id = s.id order by type, position desc) e
    order by e.position`
  const { rows } = await executePrepared(transaction, statement)
  return {
    lastTimes: new Map(rows.map(({ subjectId, occurredAt }) => [subjectId, occurredAt])),
    lastIds: new Map(rows.map(({ subjectId, type, id }) => [`${subjectId} ${type}`, id])),
  }
}

/** Events by the business time at which they occurred. */
export type EventWindow = {
  readonly since: Temporal.Instant
  /** Exclusive; without an end when undefined. */
  readonly until: Temporal.Instant | undefined
}

/** Positions of a partner's events; both are included. */
export type PositionRange = { readonly first: bigint; readonly last: bigint }

/** Events after a position, in order. */
export type EventRange = Partial<EventWindow> & {
  readonly after: bigint
  readonly limit: number
  /** All types by default. */
  readonly types?: readonly EventType[]
}

/** Events, up to which position they have been deleted, and the newest position: as of one snapshot. */
export type ListedEvents = {
  readonly events: readonly PositionedEvent[]
  readonly deletedUpTo: bigint
  readonly newest: bigint
}

const EVENT = sql`
  e.partner_id as "partnerId", e.position, e.id, coalesce(e.stamp, e.id) as stamp, e.type, e.version, e.subject_id as "subjectId",
  e.occurred_at as "occurredAt", e.body`

/** The partner's events after a position. */
export async function listEvents(
  { query }: Queryable,
  partnerId: string,
  { after, limit, types, ...window }: EventRange,
): Promise<ListedEvents> {
  const ofTypes = types === undefined ? sql`` : sql`and type = any(${types}::text[])`
  const { rows } = await sql<Omit<ListedEvents, 'events'> & (PositionedEvent | { position: null })>`
    select p.deleted_up_to as "deletedUpTo", p.position as newest, ${EVENT}
    from event_positions p left join lateral (
      select * from events
      where partner_id = p.partner_id and position > ${String(after)}::bigint ${occurredIn(window)} ${ofTypes}
      order by position limit ${limit}) e on true
    where p.partner_id = ${partnerId}
    order by e.position`.execute(query)
  const events = rows.flatMap((row) => (row.position === null ? [] : [row]))
  return { events, deletedUpTo: rows[0]?.deletedUpTo ?? 0n, newest: rows[0]?.newest ?? 0n }
}

/** The newest events of a subject, oldest first. */
export async function listEventsOfSubject(
  { query }: Queryable,
  { partnerId, subjectId }: Pick<Event, 'partnerId' | 'subjectId'>,
  limit: number,
): Promise<readonly PositionedEvent[]> {
  const { rows } = await sql<PositionedEvent>`
    select ${EVENT} from events e where e.partner_id = ${partnerId} and e.subject_id = ${subjectId}
    order by e.position desc limit ${limit}`.execute(query)
  return rows.toReversed()
}

/** The first and the last position of the events of a time window; undefined when there are none. */
export async function findPositionRange(
  { query }: Queryable,
  partnerId: string,
  window: EventWindow,
): Promise<PositionRange | undefined> {
  // A separate subquery, so that the index on times is used: `min(position)` alone would scan all positions.
  const { rows } = await sql<PositionRange | { first: null }>`
    with found as materialized (
      select position from events where partner_id = ${partnerId} ${occurredIn(window)})
    select min(position) as first, max(position) as last from found`.execute(query)
  return rows.find((row) => row.first !== null)
}

function occurredIn({ since, until }: Partial<EventWindow>) {
  return sql`${since === undefined ? sql`` : sql`and occurred_at >= ${since.toString()}::timestamptz`}
    ${until === undefined ? sql`` : sql`and occurred_at < ${until.toString()}::timestamptz`}`
}

/** Retention limits by both clocks. */
export type EventCutoff = {
  /** Business time. */
  readonly occurredBefore: Temporal.Instant
  /** By stamp, which contains wall time. */
  readonly belowId: string
}

/** How many partners' oldest events one statement deletes, and how many of each. */
const DELETE_BATCH_MAX = { partners: 20, events: 500 }

/**
 * Deletes partners' oldest expired events, and returns how many. The remaining stream has no gaps: an event that is not
 * expired keeps those after it.
 */
export async function deleteOldestEvents(
  { query }: Queryable,
  { occurredBefore, belowId }: EventCutoff,
  partners: BatchRange,
): Promise<number> {
  const isOld = sql`(occurred_at < ${occurredBefore.toString()}::timestamptz or coalesce(stamp, id) < ${belowId}::uuid)`
  const { rows } = await sql<{ count: number }>`
    with heads as materialized (
      select p.partner_id, h.position from event_positions p, lateral (
        select position, ${isOld} as old from events
        where partner_id = p.partner_id and position > p.deleted_up_to order by position limit 1) h
      where h.old order by p.partner_id
      limit ${Math.min(partners.limit, DELETE_BATCH_MAX.partners)} offset ${partners.offset}),
    ended as materialized (
      select o.partner_id, o.position from heads h, lateral (
        select partner_id, position, bool_and(${isOld}) over (order by position) as old from (
          select partner_id, position, occurred_at, id, stamp from events
          where partner_id = h.partner_id and position >= h.position
          order by position limit ${DELETE_BATCH_MAX.events}) oldest) o
      where o.old),
    gone as (
      delete from events e using ended o where e.partner_id = o.partner_id and e.position = o.position
      returning e.partner_id, e.position),
    noted as (
      update event_positions p set deleted_up_to = greatest(p.deleted_up_to, g.up_to)
      from (select partner_id, max(position) as up_to from gone group by partner_id) g
      where p.partner_id = g.partner_id)
    select count(*)::int as count from gone`.execute(query)
  return rows[0]?.count ?? 0
}
