/** Queries on all partners' payrolls for operators; they read no name, account or amount. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { columnsOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { prefixedColumns } from '../../platform/database/sql-fragments.ts'
import { isUnleased } from '../../platform/jobs/lease.ts'
import type { Payroll, PayrollState } from '../payroll.ts'
import { TRANSACTION_STATUS, transactionsWithOrders } from './payroll-transaction-store.ts'

const OVERVIEW_MEMBERS = [
  'partnerId',
  'id',
  'bulkId',
  'bic',
  'organisationNumber',
  'countryCode',
  'dueDate',
  'submissionMode',
  'state',
  'stateText',
  'status',
  'transactionCount',
  'createdAt',
  'changedAt',
  'nextRunAt',
  'submitAt',
] as const

/** A payroll without its sealed terms and transactions. */
export type PayrollOverview = Pick<Payroll, (typeof OVERVIEW_MEMBERS)[number]>

const OVERVIEW = sql.raw(prefixedColumns('payrolls', columnsOf(...OVERVIEW_MEMBERS)))

/** How many transactions have a status, as shown to partners. */
export type TransactionCountByStatus = { readonly status: PaymentStatusValue; readonly count: number }

/** Orders of a payroll with the same outcome and status; `some` are the ids of a few. */
export type OrderCountByStatus = {
  readonly outcome: string
  readonly status: PaymentStatusValue
  readonly count: number
  readonly some: readonly string[]
}

/** Payrolls that are not final, by state. */
export type OpenPayrollCount = {
  readonly state: PayrollState
  readonly count: number
  /** When the oldest of those without a lease was created. */
  readonly oldest: Temporal.Instant | null
}

/** Payrolls that are being submitted or cancelled, oldest first; read by the index of due rows. */
export async function listOpenPayrolls(database: Queryable, limit: number): Promise<readonly PayrollOverview[]> {
  const { rows } = await sql<PayrollOverview>`
    select ${OVERVIEW} from payrolls where next_run_at is not null order by created_at limit ${limit}`.execute(
    database.query,
  )
  return rows
}

/** Payrolls of which transactions are still to be submitted, one by one or in a file. */
export async function listPayrollsInSubmission(
  database: Queryable,
): Promise<readonly Pick<PayrollOverview, 'partnerId' | 'id' | 'bic' | 'submissionMode'>[]> {
  const { rows } = await sql<PayrollOverview>`
    select partner_id as "partnerId", id, bic, submission_mode as "submissionMode" from payrolls
    where next_run_at is not null and state = 'submitting'
    union
    select p.partner_id, p.id, p.bic, p.submission_mode from payment_files f
    join payments o on o.partner_id = f.partner_id and o.id = f.id
    join payrolls p on p.partner_id = o.partner_id and p.id = o.payroll_id
    where f.due_at is not null and f.state in ('waiting', 'prepared')`.execute(database.query)
  return rows
}

export async function findPayrollOfAnyPartner(database: Queryable, id: string): Promise<PayrollOverview | undefined> {
  const { rows } = await sql<PayrollOverview>`select ${OVERVIEW} from payrolls where id = ${id}`.execute(database.query)
  return rows[0]
}

/** Counts the transactions of a payroll by the status that partners see. */
export async function countTransactionsByStatus(
  database: Queryable,
  { partnerId, id }: Pick<PayrollOverview, 'partnerId' | 'id'>,
): Promise<readonly TransactionCountByStatus[]> {
  const { rows } = await sql<TransactionCountByStatus>`
    select shown.status, count(*)::int as count from (
      select ${TRANSACTION_STATUS} as status from ${transactionsWithOrders({ partnerId, payrollId: id })}) shown
    group by shown.status order by shown.status`.execute(database.query)
  return rows
}

/** Counts the orders of a payroll by outcome and status, with the ids of at most five of each. */
export async function countOrdersByStatus(
  database: Queryable,
  { partnerId, id }: Pick<PayrollOverview, 'partnerId' | 'id'>,
): Promise<readonly OrderCountByStatus[]> {
  const { rows } = await sql<OrderCountByStatus>`
    select outcome, status, count(*)::int as count, (array_agg(id::text order by id))[1:5] as some
    from payments where partner_id = ${partnerId} and payroll_id = ${id}
    group by outcome, status order by outcome, status`.execute(database.query)
  return rows
}

/** Counts payrolls that are not final, by the index of due rows. */
export async function countOpenPayrolls(
  database: Queryable,
  real: Temporal.Instant,
): Promise<readonly OpenPayrollCount[]> {
  const { rows } = await sql<OpenPayrollCount>`
    select state, count(*)::int as count,
      min(created_at) filter (where ${isUnleased(real)}) as oldest
    from payrolls where next_run_at is not null group by state`.execute(database.query)
  return rows
}
