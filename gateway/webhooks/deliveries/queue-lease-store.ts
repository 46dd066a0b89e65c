/** Queries on queue leases, which make one worker the only one that delivers from a queue. */
import type { Database } from '../../platform/database/database.ts'
import type { DeliveryQueue } from './delivery-queue-store.ts'

/** The leases of a dead worker expire after this time; a live worker renews them. */
export const QUEUE_LEASE_SECONDS = 6

/** The leases of queues that a worker holds, locked in one order. */
const OWN_LEASES_IN_ORDER = `
  select l.partner_id, l.origin from unnest($1::uuid[], $2::text[]) as a(partner_id, origin)
  join webhook_queue_leases l on l.partner_id = a.partner_id and l.origin = a.origin
  where l.worker = $3::uuid order by l.partner_id, l.origin for update of l`

/**
 * Acquires leases that the worker holds already, that are free, or that have expired; returns those. By the database's
 * clock, because those of workers may differ. In one order, so that workers cannot deadlock.
 */
export async function acquireQueueLeases(
  { pool }: Database<unknown>,
  worker: string,
  queues: readonly DeliveryQueue[],
): Promise<readonly DeliveryQueue[]> {
  const { rows } = await pool.query<DeliveryQueue>({
    text: `
      insert into webhook_queue_leases as l (partner_id, origin, worker, lease_until)
      select partner_id, origin, $3::uuid, statement_timestamp() + interval '${QUEUE_LEASE_SECONDS} seconds'
      from unnest($1::uuid[], $2::text[]) as a(partner_id, origin) order by partner_id, origin
      on conflict (partner_id, origin) do update set worker = excluded.worker, lease_until = excluded.lease_until
      where l.worker = excluded.worker or l.lease_until < statement_timestamp()
      returning partner_id as "partnerId", origin`,
    values: valuesOf(worker, queues),
  })
  return rows
}

/** Renews those of these leases that no other worker has acquired since; returns them. */
export async function renewQueueLeases(
  { pool }: Database<unknown>,
  worker: string,
  queues: readonly DeliveryQueue[],
): Promise<readonly DeliveryQueue[]> {
  const { rows } = await pool.query<DeliveryQueue>({
    text: `
      with mine as (${OWN_LEASES_IN_ORDER})
      update webhook_queue_leases l set lease_until = statement_timestamp() + interval '${QUEUE_LEASE_SECONDS} seconds'
      from mine m where l.partner_id = m.partner_id and l.origin = m.origin
      returning l.partner_id as "partnerId", l.origin`,
    values: valuesOf(worker, queues),
  })
  return rows
}

/** Releases leases, unless another worker has acquired them by now. */
export async function releaseQueueLeases(
  { pool }: Database<unknown>,
  worker: string,
  queues: readonly DeliveryQueue[],
): Promise<void> {
  await pool.query({
    text: `
      with mine as (${OWN_LEASES_IN_ORDER})
      delete from webhook_queue_leases l using mine m where l.partner_id = m.partner_id and l.origin = m.origin`,
    values: valuesOf(worker, queues),
  })
}

/** Deletes leases that expired a day ago. */
export async function deleteExpiredQueueLeases({ pool }: Database<unknown>): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from webhook_queue_leases where lease_until < statement_timestamp() - interval '1 day'`,
  )
  return rowCount ?? 0
}

function valuesOf(worker: string, queues: readonly DeliveryQueue[]): [string[], string[], string] {
  return [queues.map(({ partnerId }) => partnerId), queues.map(({ origin }) => origin), worker]
}
