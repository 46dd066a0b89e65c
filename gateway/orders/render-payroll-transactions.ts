/** Renders the transactions of a payroll, each with its own status or that of its order. */

import type { PayrollTransaction } from '../../contract/payrolls/payroll-response.ts'
import type { Context } from '../context.ts'
import { mapYieldingToEventLoop } from '../platform/concurrency.ts'
import { presentFields } from '../platform/present-fields.ts'
import { formatTimestamp } from '../platform/time-format.ts'
import type { Payment } from './payment.ts'
import type { PayrollKey } from './payroll-order.ts'
import { listPayrollTransactionRows, type PayrollTransactionRow } from './store/payroll-transaction-store.ts'

const READ_AT_ONCE = 500

export type TransactionState = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'>

/** Returns all transactions in the order of the request. Reads in pages: a large result would block the event loop. */
export async function renderPayrollTransactions({ database }: Context, key: PayrollKey): Promise<PayrollTransaction[]> {
  const rows: PayrollTransactionRow[] = []
  for (let first = 0; rows.length === first; first += READ_AT_ONCE) {
    rows.push(...(await listPayrollTransactionRows(database, key, { first, count: READ_AT_ONCE })))
  }
  return await mapYieldingToEventLoop(rows, (row) => renderPayrollTransaction(row.endToEndId, row))
}

/** Renders a transaction with its effective status. */
export function renderPayrollTransaction(endToEndId: string, state: TransactionState): PayrollTransaction {
  const { status, statusReason, statusReasonText, statusAt } = state
  return {
    endToEndId,
    timestamp: formatTimestamp(statusAt),
    payrollStatus: status,
    ...presentFields({ payrollStatusReason: statusReason, payrollStatusReasonText: statusReasonText }),
  }
}
