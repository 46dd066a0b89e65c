/** The statements on bulks of payrolls: one row each, and what becomes of all payrolls of one at once. */
import { type Kysely, sql } from 'kysely'
import type { RowKey } from '../../foundation/due-rows.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'

/** ordering: its request is under way. taken: an approval is kept over all of it. failing: it is being withdrawn. */
export type BulkState = 'ordering' | 'taken' | 'failing' | 'failed'

/** A bulk as it is kept; its payrolls have its id. */
export type PayrollBulk = RowKey & {
  readonly bic: string
  readonly state: BulkState
  readonly createdAt: Temporal.Instant
  /** Null where it was ordered without one. */
  readonly idempotencyOperation: string | null
  readonly idempotencyKey: string | null
}

/** When a bulk is looked at next, in business time, and by nobody before that in wall time. */
export type BulkLook = { readonly workAt: Temporal.Instant | null; readonly leaseUntil: Temporal.Instant | null }

const raw = (database: Queryable): Kysely<unknown> => database.query

/** Keeps a bulk of which nothing has been ordered yet. */
export async function insertBulk(database: Queryable, bulk: PayrollBulk, look: BulkLook): Promise<void> {
  await sql`
    insert into payroll_bulks (partner_id, id, bic, state, created_at, idempotency_operation, idempotency_key, work_at, lease_until)
    values (${bulk.partnerId}, ${bulk.id}, ${bulk.bic}, ${bulk.state}, ${bulk.createdAt.toString()},
      ${bulk.idempotencyOperation}, ${bulk.idempotencyKey}, ${instant(look.workAt)}, ${instant(look.leaseUntil)})`.execute(
    raw(database),
  )
}

export async function findBulk(database: Queryable, { partnerId, id }: RowKey): Promise<PayrollBulk | undefined> {
  const { rows } = await sql<PayrollBulk>`
    select partner_id as "partnerId", id, bic, state, created_at as "createdAt",
      idempotency_operation as "idempotencyOperation", idempotency_key as "idempotencyKey"
    from payroll_bulks where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
  return rows[0]
}

/** Whether a bulk is being ordered; it stays so until the transaction ends. */
export async function holdOrdering(transaction: Queryable, { partnerId, id }: RowKey): Promise<boolean> {
  const { rows } = await sql`
    select id from payroll_bulks where partner_id = ${partnerId} and id = ${id} and state = 'ordering'
    for share`.execute(raw(transaction))
  return rows.length === 1
}

/** Moves a bulk on, or puts its look off where the state stays. False when it was not in that state any more. */
export async function changeBulk(
  database: Queryable,
  { partnerId, id }: RowKey,
  { from, to, workAt, leaseUntil }: BulkLook & { readonly from: BulkState; readonly to: BulkState },
): Promise<boolean> {
  const { rows } = await sql`
    update payroll_bulks set state = ${to}, work_at = ${instant(workAt)}, lease_until = ${instant(leaseUntil)}
    where partner_id = ${partnerId} and id = ${id} and state = ${from}
    returning id`.execute(raw(database))
  return rows.length === 1
}

/** Gives up every payroll of a bulk, whatever is known of it; answers their ids. */
export async function failPayrollsOf(
  transaction: Queryable,
  { partnerId, id }: RowKey,
  { text, workAt }: { readonly text: string; readonly workAt: Temporal.Instant },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update payrolls set state = 'failing', state_text = ${text}, work_at = ${workAt.toString()}::timestamptz
    where partner_id = ${partnerId} and bulk_id = ${id} and state in ('placing', 'placed')
    returning id`.execute(raw(transaction))
  return rows.map(({ id: payrollId }) => payrollId)
}

/** The payrolls of a bulk, and whether each has come to its end here. */
export async function listPayrollsOfBulk(
  database: Queryable,
  { partnerId, id }: RowKey,
): Promise<readonly { readonly id: string; readonly isOver: boolean }[]> {
  const { rows } = await sql<{ id: string; isOver: boolean }>`
    select id, state = 'failed' as "isOver" from payrolls
    where partner_id = ${partnerId} and bulk_id = ${id} order by created_at, id`.execute(raw(database))
  return rows
}

function instant(at: Temporal.Instant | null) {
  return sql`${at?.toString() ?? null}::timestamptz`
}
