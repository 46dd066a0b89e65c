/** Shows operators the payrolls that are not at their bank as a whole, and what became of one; never what is paid to whom. */
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import {
  countOrders,
  countPayouts,
  findPayrollOfAnybody,
  listOpenPayrolls,
  type OrderCount,
  type PayoutCount,
  type PayrollSeen,
} from './payroll-operator-store.ts'

/** More would not fit a screen, and the oldest come first. */
const SHOWN_MAX = 500

/** A payroll that an operator asked for, and there is none. */
export class NoSuchPayroll extends Error {}

/** What is on its way to a bank or is being withdrawn there, of all partners. */
export async function openPayrolls(database: Queryable): Promise<readonly PayrollSeen[]> {
  return await listOpenPayrolls(database, SHOWN_MAX)
}

/** A payroll with how its payouts and orders do. */
export type PayrollInspected = {
  readonly payroll: PayrollSeen
  readonly payouts: readonly PayoutCount[]
  readonly orders: readonly OrderCount[]
}

/** As things stand at one moment. Throws `NoSuchPayroll`. */
export async function inspectPayroll(database: Queryable, id: string): Promise<PayrollInspected> {
  return await atomically(database, async (within) => {
    const payroll = await findPayrollOfAnybody(within, id)
    if (payroll === undefined) {
      throw new NoSuchPayroll(`There is no payroll ${id}`)
    }
    return { payroll, payouts: await countPayouts(within, payroll), orders: await countOrders(within, payroll) }
  })
}
