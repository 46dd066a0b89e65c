/** Lists open payrolls and inspects single ones for operators, without names, accounts and amounts. */
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import {
  countOrdersByStatus,
  countTransactionsByStatus,
  findPayrollOfAnyPartner,
  listOpenPayrolls,
  type OrderCountByStatus,
  type PayrollOverview,
  type TransactionCountByStatus,
} from './store/payroll-operator-store.ts'

/** The oldest come first; more would not fit a screen. */
const LISTED_MAX = 500

/** Payrolls of all partners that are being submitted to a bank or cancelled there. */
export async function openPayrolls(database: Queryable): Promise<readonly PayrollOverview[]> {
  return await listOpenPayrolls(database, LISTED_MAX)
}

/** A payroll with its transactions and orders, counted by status. */
export type PayrollInspection = {
  readonly payroll: PayrollOverview
  readonly payouts: readonly TransactionCountByStatus[]
  readonly orders: readonly OrderCountByStatus[]
}

/** Reads one consistent snapshot. Throws for an unknown id. */
export async function inspectPayroll(context: ProgramContext, id: string): Promise<PayrollInspection> {
  return await inTransaction(context, async ({ database }) => {
    const found = await findPayrollOfAnyPartner(database, id)
    if (found === undefined) {
      throw new Error(`There is no payroll ${id}`)
    }
    return {
      payroll: found,
      payouts: await countTransactionsByStatus(database, found),
      orders: await countOrdersByStatus(database, found),
    }
  })
}
