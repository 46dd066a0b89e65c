/** Queries on the log of bank calls, and on the counts of all calls. */

import { sql } from 'kysely'
import pg from 'pg'
import { copyLine, copyRows } from '../../platform/database/copy-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'
import type { CallOutcome } from '../directory/bank-health.ts'

/** A row of the log: a call for a payment, without its body and its headers. */
export type StoredBankCall = {
  readonly partnerId: string
  readonly paymentId: string
  readonly bic: string
  /** The order of ids is that in which calls were written. */
  readonly id: string
  /** When it began, in business time like everything that happens to a payment; as text, like everything that is written. */
  readonly at: string
  /** What it did, as in metrics: `initiatePayment`. */
  readonly operation: string
  readonly method: string
  /** Without its query, and with tokens masked. */
  readonly path: string
  /** Null without a complete answer. */
  readonly status: number | null
  /** Why there was none. */
  readonly error: string | null
  readonly milliseconds: number
  /** `X-Request-ID` */
  readonly requestId: string | null
  /** The status or the errors in the bank's answer, without accounts and national ids. */
  readonly bankText: string | null
}

/** So many calls of an hour with the same outcome took about as long. */
export type BankCallCount = {
  readonly bic: string
  /** Its first moment, in wall time. */
  readonly hour: string
  readonly outcome: CallOutcome
  readonly bucket: number
  readonly calls: number
}

const TABLE = 'bank_calls'
const COLUMNS = [
  'partner_id',
  'payment_id',
  'id',
  'bic',
  'at',
  'operation',
  'method',
  'path',
  'status',
  'error',
  'milliseconds',
  'request_id',
  'bank_text',
] as const

export function bankCallLine(call: StoredBankCall): Buffer {
  return copyLine([
    call.partnerId,
    call.paymentId,
    call.id,
    call.bic,
    call.at,
    call.operation,
    call.method,
    call.path,
    call.status,
    call.error,
    call.milliseconds,
    call.requestId,
    call.bankText,
  ])
}

/** The counts are in the order of their key, so that two processes cannot deadlock on them. */
export async function insertBankCalls(
  database: Database<unknown>,
  lines: readonly Buffer[],
  counts: readonly BankCallCount[],
): Promise<void> {
  const before = `insert into bank_call_counts as c
    select r.* from json_populate_recordset(null::bank_call_counts, ${pg.escapeLiteral(JSON.stringify(counts))}) r
    on conflict (bic, hour, outcome, bucket) do update set calls = c.calls + excluded.calls`
  await copyRows(database, { table: TABLE, columns: COLUMNS, before }, lines)
}

/** Of the hours that begin at a time or later. */
export async function selectBankCallCounts(
  { query }: Queryable,
  bic: string,
  from: Temporal.Instant,
): Promise<readonly Pick<BankCallCount, 'outcome' | 'bucket' | 'calls'>[]> {
  const { rows } = await sql<Pick<BankCallCount, 'outcome' | 'bucket' | 'calls'>>`
    select outcome, bucket, sum(calls)::int as calls from bank_call_counts
    where bic = ${bic} and hour >= ${timestamp(from)} group by outcome, bucket`.execute(query)
  return rows
}

/** The counts of all banks, of the hours that begin at a time or later. */
export async function selectCallCountsOfAllBanks(
  { query }: Queryable,
  from: Temporal.Instant,
): Promise<readonly Omit<BankCallCount, 'hour'>[]> {
  const { rows } = await sql<Omit<BankCallCount, 'hour'>>`
    select b.bic, c.outcome, c.bucket, c.calls from banks b, lateral (
      select outcome, bucket, sum(calls)::int as calls from bank_call_counts
      where bic = b.bic and hour >= ${timestamp(from)} group by outcome, bucket) c`.execute(query)
  return rows
}

/** Deletes some of the calls below an id; returns how many. */
export async function deleteOldBankCalls(
  { pool }: Database<unknown>,
  belowId: string,
  { limit, offset }: BatchRange,
): Promise<number> {
  const calls = await pool.query(
    `with old as materialized (
       select partner_id, payment_id, id from bank_calls where id < $1::uuid order by id, partner_id, payment_id limit $2 offset $3)
     delete from bank_calls c using old o
     where c.partner_id = o.partner_id and c.payment_id = o.payment_id and c.id = o.id`,
    [belowId, limit, offset],
  )
  return calls.rowCount ?? 0
}

/** Deletes some of the counts before a time; returns how many. */
export async function deleteOldBankCallCounts(
  { pool }: Database<unknown>,
  before: Temporal.Instant,
  { limit, offset }: BatchRange,
): Promise<number> {
  const counts = await pool.query(
    `delete from bank_call_counts where (bic, hour, outcome, bucket) in (
       select bic, hour, outcome, bucket from bank_call_counts where hour < $1::timestamptz
       order by bic, hour, outcome, bucket limit $2 offset $3)`,
    [before.toString(), limit, offset],
  )
  return counts.rowCount ?? 0
}

const GROWTH = 1.1

/** So many calls in a bucket. */
type BucketCount = { readonly bucket: number; readonly calls: number }

/** Everything up to a millisecond is in the first one. */
export function bucketOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(GROWTH)))
}

/** The duration that so large a share of the calls did not exceed; null without calls. */
export function percentileOf(counts: readonly BucketCount[], share: number): number | null {
  const total = counts.reduce((sum, { calls }) => sum + calls, 0)
  let passed = 0
  for (const { bucket, calls } of counts.toSorted((one, other) => one.bucket - other.bucket)) {
    passed += calls
    if (passed >= total * share) {
      return GROWTH ** Math.max(0, bucket - 0.5)
    }
  }
  return null
}
