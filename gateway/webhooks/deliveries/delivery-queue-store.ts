/** The statements that find what is ready to be delivered: whose, for which origins, and what there. */
import type { Database } from '../../platform/database/database.ts'
import type { ClaimedDelivery } from './delivery.ts'

// Statements here have no names: a plan that was made while the table was nearly empty would be kept while it fills.

/** What waits for one origin on behalf of one partner. */
export type Lane = { readonly partnerId: string; readonly origin: string }

/** Tells lanes apart. */
export function laneName({ partnerId, origin }: Lane): string {
  return `${partnerId} ${origin}`
}

/** Tests of endpoints have a lease: the request that asked for one makes it. */
const IS_FREE = 'ready and (lease_until is null or lease_until < statement_timestamp())'

/**
 * Partners behind one, in order, of whom something waits for a worker. Each costs one step down the index of what is
 * ready; only that index has the order asked for here, lest another be taken that holds what is done, too.
 */
export async function partnersWithWork(
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

/** Each partner's lanes behind an origin of its own in which something waits for a worker, in order, `limit` of each. */
export async function lanesWithWork(
  { pool }: Database<unknown>,
  behind: readonly Lane[],
  limit: number,
): Promise<readonly Lane[]> {
  const { rows } = await pool.query<Lane>({
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

/** Where to read on in a lane, and how many to read at most. */
export type LanePlace = Lane & { readonly take: number; readonly behind: bigint }

/** A delivery with its place in the order in which deliveries were queued, and the name of its lane. */
export type WaitingDelivery = ClaimedDelivery & { readonly sequence: bigint; readonly lane: string }

/**
 * The oldest of what is ready in lanes, each from a place on and without those that are in hand. Statistics of a queue are
 * always wrong, so nothing is left to them: the order asked for is that of one index only.
 */
export async function waitingInLanes(
  { pool }: Database<unknown>,
  places: readonly LanePlace[],
  inHand: readonly bigint[],
): Promise<readonly WaitingDelivery[]> {
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
  // Hundreds are held at once: what all of a lane have in common they share.
  const lanes = places.map(({ partnerId, origin }) => ({ partnerId, origin, lane: laneName({ partnerId, origin }) }))
  return rows
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
    .map((found) => Object.assign(found, lanes[found.place - 1] ?? nowhere(found.place)))
}

/** As the statement answers it: which of the places it was found at, counted from one, instead of the lane. */
type FoundDelivery = Omit<WaitingDelivery, keyof Lane | 'lane'> & { readonly place: number }

function nowhere(place: number): never {
  throw new Error(`A delivery was found at place ${place}, for which no lane was asked`)
}
