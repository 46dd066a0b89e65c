/** Queries that find ready deliveries: their partners, origins and queues. */
import type { Database } from '../../platform/database/database.ts'
import type { ClaimedDelivery } from './delivery.ts'

// Statements here are unnamed: a plan that was prepared while the table was nearly empty would be reused while it
// fills.

/** The delivery queue of one partner and one origin. */
export type DeliveryQueue = { readonly partnerId: string; readonly origin: string }

/** The key of a queue in maps. */
export function queueKey({ partnerId, origin }: DeliveryQueue): string {
  return `${partnerId} ${origin}`
}

/** Test deliveries have a lease: the request that created one attempts it. */
const IS_FREE = 'ready and (lease_until is null or lease_until < statement_timestamp())'

/**
 * Partners behind the given one, in order, with deliveries ready for a worker. Each costs one index step; the order
 * matches only the index of ready deliveries, so that the planner does not choose one that also covers finished
 * deliveries.
 */
export async function partnersWithReadyDeliveries(
  { pool }: Database<unknown>,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ partnerId: string }>({
    text: `
      with recursive partners as (
        (select partner_id from webhook_deliveries where ${IS_FREE} and partner_id > $1::uuid
         order by partner_id, origin limit 1)
        union all
        select next.partner_id from partners p, lateral (
          select partner_id from webhook_deliveries where ${IS_FREE} and partner_id > p.partner_id
          order by partner_id, origin limit 1) next)
      select partner_id as "partnerId" from partners limit $2`,
    values: [after, limit],
  })
  return rows.map(({ partnerId }) => partnerId)
}

/** Each partner's queues behind the given origin with deliveries ready for a worker, in order, `limit` of each. */
export async function queuesWithReadyDeliveries(
  { pool }: Database<unknown>,
  behind: readonly DeliveryQueue[],
  limit: number,
): Promise<readonly DeliveryQueue[]> {
  const { rows } = await pool.query<DeliveryQueue>({
    text: `
      select p.partner_id as "partnerId", l.origin
      from unnest($1::uuid[], $2::text[]) as p(partner_id, after), lateral (
        with recursive lanes as (
          (select origin from webhook_deliveries
           where ${IS_FREE} and partner_id = p.partner_id and origin > p.after order by origin limit 1)
          union all
          select next.origin from lanes l, lateral (
            select origin from webhook_deliveries
            where ${IS_FREE} and partner_id = p.partner_id and origin > l.origin order by origin limit 1) next)
        select origin from lanes limit $3) l`,
    values: [behind.map(({ partnerId }) => partnerId), behind.map(({ origin }) => origin), limit],
  })
  return rows
}

/** The position after which to read a queue, and how many deliveries to read at most. */
export type QueuePosition = DeliveryQueue & { readonly take: number; readonly behind: bigint }

/** A delivery with its queue and its position in the order in which deliveries were queued. */
export type ReadyDelivery = ClaimedDelivery & { readonly sequence: bigint; readonly queue: string }

/**
 * The oldest ready deliveries of queues, each after a position and without those in flight. Statistics of a queue table
 * are always stale, so the order is chosen to match one index only.
 */
export async function readReadyDeliveries(
  { pool }: Database<unknown>,
  places: readonly QueuePosition[],
  inHand: readonly bigint[],
): Promise<readonly ReadyDelivery[]> {
  const { rows } = await pool.query<FoundDelivery>({
    text: `
      select l.place::int, d.*
      from unnest($1::uuid[], $2::text[], $3::int[], $4::bigint[]) with ordinality
        as l(partner_id, origin, take, behind, place),
      lateral (
        select subscription_id as "subscriptionId", id, endpoint_version as "endpointVersion",
          event_type as "eventType", subject_id as "subjectId", body, attempts_made as "attemptsMade", sequence
        from webhook_deliveries
        where ${IS_FREE} and partner_id = l.partner_id and origin = l.origin and sequence > l.behind
          and sequence <> all($5::bigint[])
        order by sequence limit l.take) d`,
    values: [
      places.map(({ partnerId }) => partnerId),
      places.map(({ origin }) => origin),
      places.map(({ take }) => take),
      places.map(({ behind }) => behind),
      inHand,
    ],
  })
  // Hundreds are in memory at once: deliveries of one queue share its properties.
  const queues = places.map(({ partnerId, origin }) => ({ partnerId, origin, queue: queueKey({ partnerId, origin }) }))
  return rows
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
    .map((found) => Object.assign(found, queues[found.place - 1] ?? unknownQueue(found.place)))
}

/** A row of the result: the ordinal of its queue among the parameters, counted from one, instead of the queue. */
type FoundDelivery = Omit<ReadyDelivery, keyof DeliveryQueue | 'lane'> & { readonly place: number }

function unknownQueue(place: number): never {
  throw new Error(`A delivery was found at position ${place}, for which no queue was requested`)
}
