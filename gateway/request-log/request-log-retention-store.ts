/** Queries that delete requests from the log, oldest first. */
import type { Database } from '../platform/database/database.ts'
import type { BatchRange } from '../platform/jobs/batch-purge.ts'

/**
 * Deletes a partner's oldest requests below an id, and subtracts their size from the partner's, which is nothing when there
 * are none; returns how many.
 */
const DELETE = `
  with oldest as materialized (
      select partner_id, id from request_log where partner_id = $1 and id < $2::uuid
      order by id limit $3 offset $4),
    deleted as (
      delete from request_log r using oldest o where r.partner_id = o.partner_id and r.id = o.id returning r.bytes),
    total as (select count(*)::int as rows, coalesce(sum(bytes), 0) as bytes from deleted),
    size as (
      update request_log_sizes set bytes = case when rows = 0 then 0 else greatest(0, request_log_sizes.bytes - total.bytes) end
      from total
      where partner_id = $1)
  select rows from total`

export async function deleteOldestRequests(
  { pool }: Database<unknown>,
  { partnerId, belowId }: { readonly partnerId: string; readonly belowId: string },
  { limit, offset }: BatchRange,
): Promise<number> {
  const { rows } = await pool.query<{ rows: number }>(DELETE, [partnerId, belowId, limit, offset])
  return rows[0]?.rows ?? 0
}

/** The partners that have requests below an id. */
export async function listPartnersWithRequestsBelow(
  { pool }: Database<unknown>,
  belowId: string,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ partner_id: string }>(
    `select s.partner_id from request_log_sizes s, lateral (
       select 1 from request_log where partner_id = s.partner_id and id < $1::uuid limit 1) r`,
    [belowId],
  )
  return rows.map(({ partner_id }) => partner_id)
}

/** The size of all requests, and the partner that has most of it. */
export async function findLogSize({
  pool,
}: Database<unknown>): Promise<{ readonly bytes: number; readonly largestPartnerId: string } | undefined> {
  const { rows } = await pool.query<{ bytes: number; largestPartnerId: string }>(
    `select sum(bytes) over ()::float8 as bytes, partner_id as "largestPartnerId"
     from request_log_sizes order by request_log_sizes.bytes desc limit 1`,
  )
  return rows[0]
}
