/** The queries by which operators see payrolls, of all partners; no name, account or amount is among what they read. */
import { type Kysely, sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Payroll, PayrollState } from './payroll.ts'

/** A payroll without what it orders. */
export type PayrollSeen = Pick<
  Payroll,
  'partnerId' | 'id' | 'bic' | 'organisationNumber' | 'countryCode' | 'dueDate' | 'way' | 'state' | 'transactionCount'
> & {
  readonly bulkId: string | null
  readonly stateText: string | null
  readonly status: PaymentStatusValue
  readonly createdAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  readonly workAt: Temporal.Instant | null
}

/** How many payouts have a status, as it is shown to partners. */
export type PayoutCount = { readonly status: PaymentStatusValue; readonly count: number }

/** Orders of a payroll with the same outcome and status; `some` are the ids of a few. */
export type OrderCount = {
  readonly outcome: string
  readonly status: PaymentStatusValue
  readonly count: number
  readonly some: readonly string[]
}

/** Payrolls that have not come to an end, by state. */
export type OpenPayrolls = {
  readonly state: PayrollState
  readonly count: number
  /** When the oldest of them was ordered of those on which nobody works. */
  readonly oldest: Temporal.Instant | null
}

const raw = (database: Queryable): Kysely<unknown> => database.query

const SEEN = sql`partner_id as "partnerId", id, bulk_id as "bulkId", bic, organisation_number as "organisationNumber",
  country_code as "countryCode", due_date as "dueDate", way, state, state_text as "stateText", status,
  transaction_count as "transactionCount", created_at as "createdAt", changed_at as "changedAt", work_at as "workAt"`

/** Payrolls that are not at their bank as a whole, by the index of what is looked at again; oldest first. */
export async function listOpenPayrolls(database: Queryable, limit: number): Promise<readonly PayrollSeen[]> {
  const { rows } = await sql<PayrollSeen>`
    select ${SEEN} from payrolls where work_at is not null order by created_at limit ${limit}`.execute(raw(database))
  return rows
}

/** A payroll by its id alone. */
export async function findPayrollOfAnybody(database: Queryable, id: string): Promise<PayrollSeen | undefined> {
  const { rows } = await sql<PayrollSeen>`select ${SEEN} from payrolls where id = ${id}`.execute(raw(database))
  return rows[0]
}

/** Counts the payouts of a payroll by what is shown of them. */
export async function countPayouts(
  database: Queryable,
  { partnerId, id }: Pick<PayrollSeen, 'partnerId' | 'id'>,
): Promise<readonly PayoutCount[]> {
  const { rows } = await sql<PayoutCount>`
    select shown.status, count(*)::int as count from (
      select coalesce(t.status, o.status, case when p.state in ('failing', 'failed') then 'Cancelled' else 'Unsigned' end)
        as status
      from payrolls p
      join payroll_transactions t on t.partner_id = p.partner_id and t.payroll_id = p.id
      left join payments o on o.partner_id = t.partner_id and o.id = t.payment_id
      where p.partner_id = ${partnerId} and p.id = ${id}) shown
    group by shown.status order by shown.status`.execute(raw(database))
  return rows
}

/** Counts the orders of a payroll at its bank, and names a few of each kind. */
export async function countOrders(
  database: Queryable,
  { partnerId, id }: Pick<PayrollSeen, 'partnerId' | 'id'>,
): Promise<readonly OrderCount[]> {
  const { rows } = await sql<OrderCount>`
    select outcome, status, count(*)::int as count, (array_agg(id::text order by id))[1:5] as some
    from payments where partner_id = ${partnerId} and payroll_id = ${id}
    group by outcome, status order by outcome, status`.execute(raw(database))
  return rows
}

/** Counts what has not come to an end by the index of what is looked at again. */
export async function countOpenPayrolls(database: Queryable, real: Temporal.Instant): Promise<readonly OpenPayrolls[]> {
  const { rows } = await sql<OpenPayrolls>`
    select state, count(*)::int as count,
      min(created_at) filter (where lease_until is null or lease_until < ${real.toString()}::timestamptz) as oldest
    from payrolls where work_at is not null group by state`.execute(raw(database))
  return rows
}
