/** Lists open payrolls and inspects single ones for operators, without names, accounts and amounts. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { columnsOf } from '../../platform/database/columns.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { prefixedColumns } from '../../platform/database/sql-fragments.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { Payroll } from '../payroll.ts'
import { groupTransactions } from './payroll-details.ts'

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
type PayrollOverview = Pick<Payroll, (typeof OVERVIEW_MEMBERS)[number]>

const OVERVIEW = sql.raw(prefixedColumns('payrolls', columnsOf(...OVERVIEW_MEMBERS)))

/** The oldest come first; more would not fit a screen. */
const LISTED_MAX = 500

/** Payrolls of all partners that are being submitted to a bank or cancelled there; read by the index of due rows. */
export async function listOpenPayrolls({ query }: Queryable): Promise<readonly PayrollOverview[]> {
  const { rows } = await sql<PayrollOverview>`
    select ${OVERVIEW} from payrolls where next_run_at is not null order by created_at limit ${LISTED_MAX}`.execute(
    query,
  )
  return rows
}

/** Orders of a payroll with the same outcome and status; `some` are the ids of at most five. */
type OrderCountByStatus = {
  readonly outcome: string
  readonly status: PaymentStatusValue
  readonly count: number
  readonly some: readonly string[]
}

/** A payroll with its transactions and orders, counted by status. */
type PayrollInspection = {
  readonly payroll: PayrollOverview
  /** By the status that partners see. */
  readonly payouts: readonly Pick<OrderCountByStatus, 'status' | 'count'>[]
  readonly orders: readonly OrderCountByStatus[]
}

/** Reads one consistent snapshot. Throws for an unknown id. */
export async function inspectPayroll(context: ProgramContext, id: string): Promise<PayrollInspection> {
  return await inTransaction(context, async ({ database }) => {
    const { rows } = await sql<PayrollOverview>`
      select ${OVERVIEW} from payrolls where id = ${id}`.execute(database.query)
    const [found] = rows
    if (found === undefined) {
      throw new Error(`There is no payroll ${id}`)
    }
    const { partnerId, id: payrollId } = found
    const transactions = await groupTransactions(database, { partnerId, payrollId })
    const groupsByStatus = Map.groupBy(transactions, ({ status }) => status)
    const orders = await sql<OrderCountByStatus>`
      select outcome, status, count(*)::int as count, (array_agg(id::text order by id))[1:5] as some
      from payments where partner_id = ${partnerId} and payroll_id = ${payrollId}
      group by outcome, status order by outcome, status`.execute(database.query)
    return {
      payroll: found,
      payouts: [...groupsByStatus].map(([status, groups]) => {
        return { status, count: groups.reduce((sum, { count }) => sum + count, 0) }
      }),
      orders: orders.rows,
    }
  })
}
