/** Renders the summary of payrolls that a user sees before signing: total, number, account and date, without personal data. */

import { type SummaryItem, summaryAmount, summaryDay, summaryText } from '../authorisations/signature-summary.ts'
import type { Context } from '../context.ts'
import { totalOfTransactions } from '../orders/parse/payroll-orders.ts'
import type { PayrollPayment } from '../orders/payment.ts'
import type { Payroll } from '../orders/payroll.ts'
import type { TransactionRange } from '../orders/payroll-order.ts'
import { readPayrollContents } from '../orders/store/payroll-store.ts'

/** One item for each payroll that has orders among these; it states the share if not all transactions are signed. */
export async function payrollSummaries(
  context: Context,
  payrolls: readonly Payroll[],
  orders: readonly PayrollPayment[],
): Promise<readonly SummaryItem[]> {
  const items: SummaryItem[] = []
  for (const payroll of payrolls) {
    const ranges = orders.map(({ ordered }) => ordered).filter(({ payrollId }) => payrollId === payroll.id)
    if (ranges.length > 0) {
      items.push(await payrollSummary(context, payroll, ranges))
    }
  }
  return items
}

async function payrollSummary(
  context: Context,
  payroll: Payroll,
  ranges: readonly TransactionRange[],
): Promise<SummaryItem> {
  const { partnerId, id: payrollId, currency, debtorBban, dueDate, transactionCount } = payroll
  const from = Math.min(...ranges.map(({ first }) => first))
  const to = Math.max(...ranges.map(({ first, count }) => first + count))
  const range = { first: from, count: to - from }
  const { transactions } = await readPayrollContents(context, { partnerId, payrollId }, range)
  const signed = ranges.flatMap(({ first, count }) => transactions.slice(first - from, first - from + count))
  const isComplete = signed.length === transactionCount
  return [
    summaryAmount(await totalOfTransactions(signed, currency)),
    summaryText('payouts', isComplete ? String(transactionCount) : `${signed.length} / ${transactionCount}`),
    { label: 'from-account', value: debtorBban, kind: 'account' },
    summaryDay('date', dueDate),
  ]
}
