/** Writes what a user sees of payrolls before signing them: sum, number, account and day, and nothing of any person. */

import { type ShownThing, shownAmount, shownDay, shownText } from '../../authorisations/signature-summary.ts'
import type { Context } from '../../context.ts'
import { totalOf } from '../../orders/payroll/build-payroll-orders.ts'
import { payrollTransactions } from '../../orders/payroll/payroll-contents.ts'
import type { PayoutRange } from '../../orders/payroll/payroll-order.ts'
import type { PayrollOrder } from '../../orders/payroll/select-payroll-orders.ts'
import type { Payroll } from '../../payrolls/payroll.ts'

/** One thing for each payroll of which there are orders, in their order; of a part of its payouts it says so. */
export async function shownPayrolls(
  context: Context,
  payrolls: readonly Payroll[],
  orders: readonly PayrollOrder[],
): Promise<readonly ShownThing[]> {
  const things: ShownThing[] = []
  for (const payroll of payrolls) {
    const ranges = orders.filter(({ payrollId }) => payrollId === payroll.id).map(({ ordered }) => ordered)
    if (ranges.length > 0) {
      things.push(await shownPayroll(context, payroll, ranges))
    }
  }
  return things
}

async function shownPayroll(context: Context, payroll: Payroll, ranges: readonly PayoutRange[]): Promise<ShownThing> {
  const { partnerId, id: payrollId, currency, debtorBban, dueDate, transactionCount } = payroll
  const from = Math.min(...ranges.map(({ first }) => first))
  const to = Math.max(...ranges.map(({ first, count }) => first + count))
  const payouts = await payrollTransactions(context, { partnerId, payrollId }, { first: from, count: to - from })
  const signed = ranges.flatMap(({ first, count }) => payouts.slice(first - from, first - from + count))
  const isWhole = signed.length === transactionCount
  return [
    shownAmount(await totalOf(signed, currency)),
    shownText('payouts', isWhole ? String(transactionCount) : `${signed.length} / ${transactionCount}`),
    { label: 'from-account', value: debtorBban, kind: 'account' },
    shownDay('date', dueDate),
  ]
}
