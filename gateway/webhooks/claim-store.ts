/** The statements that give deliveries to a worker, in the order in which they were queued, and take them back from it. */
import type { Database } from '../foundation/database/database.ts'
import type { ClaimedDelivery, DeliveryKey } from './delivery.ts'
import type { Lane } from './lane-store.ts'

/** How many deliveries of a lane to claim. */
export type LaneShare = Lane & { readonly take: number }

/** A delivery that a worker has until its lease is over. */
export type LeasedDelivery = ClaimedDelivery & {
  /** By the database's clock, as it writes it: tells this claim from any other. */
  readonly lease: string
}

/** Longer than waiting for a turn and an attempt may take together; whoever dies leaves its deliveries for so long. */
const LEASE_SECONDS = 30
/** More of one line than anybody claims at once: whoever has so many older ones before it is not next. */
const OLDER_MAX = 1_000

/**
 * Claims the oldest deliveries of lanes. Those that another worker has are passed over, and so is what stands behind one
 * of them: older, to the same subscription and origin, about the same. What is claimed together is in its order. Leases
 * go by the database's clock, because those of workers may differ.
 *
 * Statistics of a queue are always wrong, so nothing is left to them. Origins are compared so that no index of origins
 * serves to look for one payment, the order asked for is that of one index only, and rows are found again where they are.
 */
export async function claimDeliveries(
  { pool }: Database<unknown>,
  shares: readonly LaneShare[],
): Promise<readonly LeasedDelivery[]> {
  const { rows } = await pool.query<LeasedDelivery & { sequence: bigint }>({
    text: `
      with found as materialized (
        select d.* from unnest($1::uuid[], $2::text[], $3::int[]) as l(partner_id, origin, take), lateral (
          select ctid as place, partner_id, subscription_id, origin, subject_id, sequence from webhook_deliveries w
          where ready and partner_id = l.partner_id and origin = l.origin
            and (lease_until is null or lease_until < statement_timestamp())
            and (
              select o.lease_until >= statement_timestamp() from webhook_deliveries o
              where o.ready and o.partner_id = w.partner_id and o.subscription_id = w.subscription_id
                and o.subject_id = w.subject_id and o.sequence < w.sequence and o.origin is not distinct from w.origin
              order by o.sequence limit 1) is not true
          order by sequence limit l.take for update skip locked) d),
      -- Another worker may have taken an older one since the statement began.
      placed as materialized (
        select f.place, f.subject_id is null
          or row_number() over (partition by partner_id, subscription_id, subject_id, origin order by sequence) - 1 = (
            select count(*) from (
              select from webhook_deliveries o
              where o.ready and o.partner_id = f.partner_id and o.subscription_id = f.subscription_id
                and o.subject_id = f.subject_id and o.sequence < f.sequence
                and o.origin is not distinct from f.origin
              order by o.sequence limit ${OLDER_MAX}) older) as is_next
        from found f)
      update webhook_deliveries d set lease_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
      where d.ctid = any (array(select place from placed where is_next))
      returning d.partner_id as "partnerId", d.subscription_id as "subscriptionId", d.id,
        d.endpoint_version as "endpointVersion", d.origin, d.event_type as "eventType", d.subject_id as "subjectId",
        d.body, d.attempts_made as "attemptsMade", d.lease_until::text as lease, d.sequence`,
    values: [
      shares.map(({ partnerId }) => partnerId),
      shares.map(({ origin }) => origin),
      shares.map(({ take }) => take),
    ],
  })
  return rows.toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
}

/** Ends leases before their time, unless somebody else has the delivery by now. Answers for each whether it did. */
export async function giveBackDeliveries(
  { pool }: Database<unknown>,
  deliveries: readonly (DeliveryKey & { readonly lease: string })[],
): Promise<readonly boolean[]> {
  const { rows } = await pool.query<{ position: number }>({
    text: `
      update webhook_deliveries d set lease_until = null
      from jsonb_to_recordset($1::jsonb) as r(position int, partner_id uuid, subscription_id uuid, id uuid,
        lease timestamptz)
      where d.partner_id = r.partner_id and d.subscription_id = r.subscription_id and d.id = r.id
        and d.lease_until = r.lease
      returning r.position`,
    values: [JSON.stringify(deliveries.map(rowOf))],
  })
  const back = new Set(rows.map(({ position }) => position))
  return deliveries.map((_, position) => back.has(position))
}

function rowOf({ partnerId, subscriptionId, id, lease }: DeliveryKey & { lease: string }, position: number): object {
  return { position, partner_id: partnerId, subscription_id: subscriptionId, id, lease }
}
