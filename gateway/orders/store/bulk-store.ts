/** Queries on bulks of payrolls: one row each, and the state of all payrolls of a bulk. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
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

/** The bulks that a sweep processes. */
export const DUE_BULKS = {
  table: 'payroll_bulks',
  partition: 'bic',
  name: 'payroll bulks',
  column: 'next_run_at',
  time: 'business',
} as const

export async function insertBulk(database: Queryable, bulk: PayrollBulk, schedule: BulkSchedule): Promise<void> {
  await sql`
    insert into payroll_bulks (partner_id, id, bic, state, created_at, idempotency_operation, idempotency_key, next_run_at, lease_until)
    values (${bulk.partnerId}, ${bulk.id}, ${bulk.bic}, ${bulk.state}, ${bulk.createdAt.toString()},
      ${bulk.idempotencyOperation}, ${bulk.idempotencyKey}, ${instant(schedule.nextRunAt)}, ${instant(schedule.leaseUntil)})`.execute(
    database.query,
  )
}

export async function findBulk(database: Queryable, { partnerId, id }: RowKey): Promise<PayrollBulk | undefined> {
  const { rows } = await sql<PayrollBulk>`
    select partner_id as "partnerId", id, bic, state, created_at as "createdAt",
      idempotency_operation as "idempotencyOperation", idempotency_key as "idempotencyKey"
    from payroll_bulks where partner_id = ${partnerId} and id = ${id}`.execute(database.query)
  return rows[0]
}

/** Whether the bulk is in state `submitting`; the row is locked until the transaction ends. */
export async function lockOpenBulk(transaction: Queryable, { partnerId, id }: RowKey): Promise<boolean> {
  const { rows } = await sql`
    select id from payroll_bulks where partner_id = ${partnerId} and id = ${id} and state = 'submitting'
    for share`.execute(transaction.query)
  return rows.length === 1
}

/** Changes the state or, with an equal state, only the schedule. Returns false if the bulk is no longer in the state `from`. */
export async function changeBulkState(
  database: Queryable,
  { partnerId, id }: RowKey,
  { from, to, nextRunAt, leaseUntil }: BulkSchedule & { readonly from: BulkState; readonly to: BulkState },
): Promise<boolean> {
  const { rows } = await sql`
    update payroll_bulks set state = ${to}, next_run_at = ${instant(nextRunAt)}, lease_until = ${instant(leaseUntil)}
    where partner_id = ${partnerId} and id = ${id} and state = ${from}
    returning id`.execute(database.query)
  return rows.length === 1
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

function instant(at: Temporal.Instant | null) {
  return sql`${at?.toString() ?? null}::timestamptz`
}
