/** Queries on rows that sweeps cannot process. */
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../database/in-transaction.ts'
import { timestamp } from '../database/sql-fragments.ts'
import { newId } from '../ids.ts'
import { DOUBLINGS_MAX, retryDelayOf } from './retry-backoff.ts'

/** Identifies a row of a sweep; rows that belong to no partner have the zero UUID. */
export type SweepRow = { readonly sweep: string; readonly partnerId: string; readonly rowId: string }

export type FailedRow = SweepRow & {
  readonly id: string
  readonly failures: number
  readonly error: string
  readonly firstFailedAt: Temporal.Instant
  readonly lastFailedAt: Temporal.Instant
  readonly succeededAt: Temporal.Instant | null
}

/** After so many failures an operator task is raised. */
export const FAILURES_BEFORE_TASK = 3
/** A row that has not failed for so long was deleted or is not due any more: no row waits for longer. */
export const OVER_AFTER = { hours: 24 }
const DELAYS_SECONDS = Array.from({ length: DOUBLINGS_MAX + 1 }, (_, index) => retryDelayOf(index + 1).seconds)

export const failedRows = {
  name: 'failed rows',
  table: 'failed_rows',
  partition: 'sweep',
  column: 'review_at',
  time: 'wall',
  leaseSeconds: 60,
} as const

const FAILED_ROW = sql`partner_id as "partnerId", id, sweep, row_id as "rowId", failures, error,
  first_failed_at as "firstFailedAt", last_failed_at as "lastFailedAt", succeeded_at as "succeededAt"`

/** Counts a failure; returns how many there have been, and after how many seconds to try again. */
export async function recordRowFailure(
  { query }: Queryable,
  { sweep, partnerId, rowId }: SweepRow,
  { error, at }: { readonly error: string; readonly at: Temporal.Instant },
): Promise<{ readonly failures: number; readonly seconds: number }> {
  const failures = sql`failed_rows.failures + 1`
  const delay = (count: RawBuilder<unknown>) =>
    sql`(${DELAYS_SECONDS}::int[])[least(${count}, ${DELAYS_SECONDS.length})] * interval '1 second'`
  const { rows } = await sql<{ failures: number; seconds: number }>`
    insert into failed_rows (partner_id, id, sweep, row_id, failures, error, first_failed_at, last_failed_at, retry_at, review_at)
    values (${partnerId}, ${newId()}, ${sweep}, ${rowId}, 1, ${error}, ${timestamp(at)}, ${timestamp(at)},
      ${timestamp(at)} + ${delay(sql`1`)}, ${timestamp(at.add(OVER_AFTER))})
    on conflict (partner_id, sweep, row_id) do update
      set failures = ${failures}, error = excluded.error, last_failed_at = excluded.last_failed_at,
        retry_at = excluded.last_failed_at + ${delay(failures)}, succeeded_at = null,
        review_at = case when ${failures} = ${FAILURES_BEFORE_TASK} then excluded.last_failed_at else excluded.review_at end
    returning failures, extract(epoch from retry_at - last_failed_at)::int as seconds`.execute(query)
  const [recorded] = rows
  if (recorded === undefined) {
    throw new Error('A failure was not recorded')
  }
  return recorded
}

/** The row was processed: it is deleted, or its task is to be closed if it had one. */
export async function recordRowSuccess(
  { query }: Queryable,
  { sweep, partnerId, rowId }: SweepRow,
  at: Temporal.Instant,
): Promise<void> {
  const isRow = sql`partner_id = ${partnerId} and sweep = ${sweep} and row_id = ${rowId}`
  await sql`
    with deleted as (delete from failed_rows where ${isRow} and failures < ${FAILURES_BEFORE_TASK})
    update failed_rows set succeeded_at = ${timestamp(at)}, review_at = ${timestamp(at)}
    where ${isRow} and failures >= ${FAILURES_BEFORE_TASK}`.execute(query)
}

/** The SQL expression whether a row, by its alias, has failed since it was last processed. `sweep` is a name of the code. */
export function hasFailedExpression(sweep: string, row: string): string {
  return `exists (select from failed_rows f
    where f.partner_id = ${row}.partner_id and f.sweep = '${sweep}' and f.row_id = ${row}.id::text)`
}

/** Of these rows, those that have failed, and when each is to be tried again. */
export async function listRetryTimes(
  { query }: Queryable,
  { sweep, partnerId }: Pick<SweepRow, 'sweep' | 'partnerId'>,
  rowIds: readonly string[],
): Promise<ReadonlyMap<string, Temporal.Instant>> {
  const { rows } = await sql<{ rowId: string; retryAt: Temporal.Instant }>`
    select row_id as "rowId", retry_at as "retryAt" from failed_rows
    where partner_id = ${partnerId} and sweep = ${sweep} and row_id = any(${rowIds}::text[])
      and succeeded_at is null`.execute(query)
  return new Map(rows.map(({ rowId, retryAt }) => [rowId, retryAt]))
}

export async function findFailedRow(
  { query }: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<FailedRow | undefined> {
  const { rows } = await sql<FailedRow>`
    select ${FAILED_ROW} from failed_rows where partner_id = ${partnerId} and id = ${id}`.execute(query)
  return rows[0]
}

/** Sets when a row is reviewed next; does nothing when it has failed or succeeded since it was read. */
export async function scheduleFailedRowReview(
  { query }: Queryable,
  { partnerId, id, lastFailedAt, succeededAt }: FailedRow,
  reviewAt: Temporal.Instant,
): Promise<void> {
  await sql`
    update failed_rows set review_at = ${timestamp(reviewAt)}, lease_until = null
    where partner_id = ${partnerId} and id = ${id} and last_failed_at = ${timestamp(lastFailedAt)}
      and succeeded_at is not distinct from ${succeededAt?.toString() ?? null}::timestamptz`.execute(query)
}

export async function deleteFailedRow({ query }: Queryable, { partnerId, id, lastFailedAt }: FailedRow): Promise<void> {
  await sql`
    delete from failed_rows
    where partner_id = ${partnerId} and id = ${id} and last_failed_at = ${timestamp(lastFailedAt)}`.execute(query)
}

/** How many rows of each sweep fail at present. */
export async function countFailedRows({
  query,
}: Queryable): Promise<readonly { readonly sweep: string; readonly count: number }[]> {
  const { rows } = await sql<{ sweep: string; count: number }>`
    select sweep, count(*)::int as count from failed_rows where succeeded_at is null group by sweep`.execute(query)
  return rows
}
