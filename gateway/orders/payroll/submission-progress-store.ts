/** The queries on how far the payouts of a payroll are on their way to its bank, one order each. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollKey } from './payroll-order.ts'

/** How far the payouts of a payroll are. */
export type PlacingCounts = {
  readonly count: number
  /** Their orders are at the bank for certain. */
  readonly placed: number
  /** The bank is being asked, or was. */
  readonly asked: number
  /** Of those that it was asked to take: whether it did is not known. */
  readonly unknown: number
  /** Nobody has been asked to take them. */
  readonly waiting: number
  /** They cannot be signed with the others any more: refused, rejected, cancelled, or never taken. */
  readonly lost: number
}

const raw = (database: Queryable): Kysely<unknown> => database.query

/** The positions of payouts that nobody has been asked to take, in their order. */
export async function listWaiting(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from payroll_transactions
    where partner_id = ${partnerId} and payroll_id = ${payrollId} and payment_id is null and status is null
    order by position`.execute(raw(database))
  return rows.map(({ position }) => position)
}

/** Counts payouts by how far they are. */
export async function countPlacing(database: Queryable, { partnerId, payrollId }: PayrollKey): Promise<PlacingCounts> {
  const { rows } = await sql<PlacingCounts>`
    select count(*)::int as count,
      count(*) filter (where o.outcome = 'known')::int as placed,
      count(*) filter (where o.outcome = 'asked')::int as asked,
      count(*) filter (where o.outcome = 'unknown')::int as unknown,
      count(*) filter (where t.payment_id is null and t.status is null)::int as waiting,
      count(*) filter (where t.payment_id is null and t.status is not null
        or o.outcome = 'void' or o.status in ('Rejected', 'Cancelled'))::int as lost
    from payroll_transactions t
    left join payments o on o.partner_id = t.partner_id and o.id = t.payment_id
    where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId}`.execute(raw(database))
  return rows[0] ?? { count: 0, placed: 0, asked: 0, unknown: 0, waiting: 0, lost: 0 }
}

/** The ids of the orders of a payroll. */
export async function listOrderIds(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payments where partner_id = ${partnerId} and payroll_id = ${payrollId}`.execute(raw(database))
  return rows.map(({ id }) => id)
}

/** Says of the payout of an order that no order carries it; a refusal is its own from then on. */
export async function releasePayout(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
  paymentId: string,
  refused: { readonly text: string; readonly at: Temporal.Instant } | null,
): Promise<void> {
  await sql`
    update payroll_transactions set payment_id = null, status = ${refused === null ? null : 'Rejected'},
      status_reason_text = ${refused?.text ?? null}, status_at = ${refused?.at.toString() ?? null}::timestamptz
    where partner_id = ${partnerId} and payroll_id = ${payrollId}
      and payment_id = ${paymentId}`.execute(raw(database))
}
