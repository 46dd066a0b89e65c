/** Renders the transactions of a payroll, each with its own status or that of its order. */

import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { PayrollTransaction } from '../../../contract/payrolls/payroll-response.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../platform/format-timestamp.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { Payment } from '../payment.ts'
import { listPayrollOrders } from './list-payroll-orders.ts'
import type { PayrollKey } from './payroll-order.ts'
import { listPayrollTransactionRows, type PayrollTransactionRow } from './payroll-transaction-store.ts'

/** The status of a transaction without an order, which awaits one or will have none. */
export type UnsubmittedStatus = { readonly status: PaymentStatusValue; readonly at: Temporal.Instant }

const READ_AT_ONCE = 500

type TransactionState = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'>

/** Returns all transactions in the order of the request, and their orders. */
export async function renderPayrollTransactions(
  context: Pick<Context, 'database'>,
  key: PayrollKey,
  unsubmitted: UnsubmittedStatus,
): Promise<{ readonly transactions: PayrollTransaction[]; readonly orders: readonly Payment[] }> {
  const [orders, elements] = await Promise.all([listPayrollOrders(context, key), readTransactionRows(context, key)])
  const orderById = new Map(orders.map((order) => [order.id, order]))
  const fallback = { status: unsubmitted.status, statusReason: null, statusReasonText: null, statusAt: unsubmitted.at }
  const transactions = await mapYieldingToEventLoop(elements, (element) => {
    const order = element.paymentId === null ? undefined : orderById.get(element.paymentId)
    return renderPayrollTransaction(element.endToEndId, ownStatusOf(element) ?? order ?? fallback)
  })
  return { transactions, orders }
}

/** Reads in pages: a large result would block the event loop. */
async function readTransactionRows(
  { database }: Pick<Context, 'database'>,
  key: PayrollKey,
): Promise<readonly PayrollTransactionRow[]> {
  const elements: PayrollTransactionRow[] = []
  for (let first = 0; elements.length === first; first += READ_AT_ONCE) {
    elements.push(...(await listPayrollTransactionRows(database, key, { first, count: READ_AT_ONCE })))
  }
  return elements
}

/** Renders a transaction with its effective status. */
export function renderPayrollTransaction(endToEndId: string, state: TransactionState): PayrollTransaction {
  const { status, statusReason, statusReasonText, statusAt } = state
  return {
    endToEndId,
    timestamp: formatTimestamp(statusAt),
    payrollStatus: status,
    ...reasonOf(statusReason),
    ...(statusReasonText === null ? {} : { payrollStatusReasonText: statusReasonText }),
  }
}

function reasonOf(statusReason: PaymentStatusReason | null): Pick<PayrollTransaction, 'payrollStatusReason'> {
  return statusReason === null ? {} : { payrollStatusReason: statusReason }
}

function ownStatusOf({
  status,
  statusReason,
  statusReasonText,
  statusAt,
}: PayrollTransactionRow): TransactionState | undefined {
  return status === null || statusAt === null ? undefined : { status, statusReason, statusReasonText, statusAt }
}
