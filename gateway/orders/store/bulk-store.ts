/** Queries on bulks of payrolls: one row each, and the state of all payrolls of a bulk. */
import { type Kysely, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'

/**
 * submitting: its request is in flight. submitted: its approval is stored. failing: its payrolls are being cancelled.
 */
export type BulkState = 'submitting' | 'submitted' | 'failing' | 'failed'

/** A bulk as stored; its payrolls refer to it by `bulkId`. */
export type PayrollBulk = RowKey & {
  readonly bic: string
  readonly state: BulkState
  readonly createdAt: Temporal.Instant
  /** Null if the request had no idempotency key. */
  readonly idempotencyOperation: string | null
  readonly idempotencyKey: string | null
}

/** When a sweep processes the bulk next (business time), and until when it is leased (wall time). */
export type BulkSchedule = { readonly nextRunAt: Temporal.Instant | null; readonly leaseUntil: Temporal.Instant | null }

type Tables = { payroll_bulks: TableOf<PayrollBulk & BulkSchedule> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** The bulks that a sweep processes. */
export const DUE_BULKS = {
  table: 'payroll_bulks',
  partition: 'bic',
  name: 'payroll bulks',
  column: 'next_run_at',
  time: 'business',
} as const

export async function insertBulk(database: Queryable, bulk: PayrollBulk, schedule: BulkSchedule): Promise<void> {
  await tables(database)
    .insertInto('payroll_bulks')
    .values(rowOf({ ...bulk, ...schedule }))
    .execute()
}

export async function findBulk(database: Queryable, key: RowKey): Promise<PayrollBulk | undefined> {
  const members = columnsOf('partnerId', 'id', 'bic', 'state', 'createdAt', 'idempotencyOperation', 'idempotencyKey')
  return await tables(database).selectFrom('payroll_bulks').select(members).where(hasKey(key)).executeTakeFirst()
}

/** Whether the bulk is in state `submitting`; the row is locked until the transaction ends. */
export async function lockOpenBulk({ query }: Queryable, key: RowKey): Promise<boolean> {
  const { rows } = await sql`
    select id from payroll_bulks where ${hasKey(key)} and state = 'submitting' for share`.execute(query)
  return rows.length === 1
}

/** Changes the state or, with an equal state, only the schedule. Returns false if the bulk is no longer in the state `from`. */
export async function changeBulkState(
  database: Queryable,
  key: RowKey,
  { from, to: state, nextRunAt, leaseUntil }: BulkSchedule & { readonly from: BulkState; readonly to: BulkState },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('payroll_bulks')
    .set(rowOf({ state, nextRunAt, leaseUntil }))
    .where(hasKey(key))
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets every payroll of a bulk to `failing`, whatever its outcome; returns their ids. */
export async function failPayrollsOfBulk(
  transaction: Queryable,
  { partnerId, id }: RowKey,
  { text, nextRunAt }: { readonly text: string; readonly nextRunAt: Temporal.Instant },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update payrolls set state = 'failing', state_text = ${text}, next_run_at = ${nextRunAt.toString()}::timestamptz
    where partner_id = ${partnerId} and bulk_id = ${id} and state in ('submitting', 'submitted')
    returning id`.execute(transaction.query)
  return rows.map(({ id: payrollId }) => payrollId)
}

/** The payrolls of a bulk, and whether each is final. */
export async function listPayrollsOfBulk(
  database: Queryable,
  { partnerId, id }: RowKey,
): Promise<readonly { readonly id: string; readonly isOver: boolean }[]> {
  const { rows } = await sql<{ id: string; isOver: boolean }>`
    select id, state = 'failed' as "isOver" from payrolls
    where partner_id = ${partnerId} and bulk_id = ${id} order by created_at, id`.execute(database.query)
  return rows
}
