/** Selects the bank product through which the order of a payment is looked up. */
import type { Connector, OrderOperations } from '../../banks/connector/connector.ts'
import type { Context } from '../../context.ts'
import { instructionOf } from '../instruction.ts'
import { type Payment, productAtBank } from '../payment.ts'
import { withRedactedBankText } from '../redact-bank-text.ts'
import { listKnownPayrollTransactions } from '../store/payroll-transaction-store.ts'

/**
 * Returns the order operations of the payment's product, or undefined where the bank has none. Bank texts about private
 * orders are redacted.
 */
export function orderLookupOf(
  context: Context,
  payment: Payment,
  {
    domesticPayments,
    crossBorderPayments,
    bulkPayments,
  }: Pick<Connector, 'domesticPayments' | 'crossBorderPayments' | 'bulkPayments'>,
): OrderOperations | undefined {
  const ordersByProduct: Readonly<Record<ReturnType<typeof productAtBank>, OrderOperations | undefined>> = {
    domestic: domesticPayments,
    'cross-border': crossBorderPayments,
    bulk: bulkPayments && {
      ...bulkPayments,
      read: async (caller, order, known) => {
        const elements = await listKnownPayrollTransactions(context.database, payment)
        return await bulkPayments.read(caller, order, { ...known, elements })
      },
    },
    file: undefined,
  }
  const orders = ordersByProduct[productAtBank(payment)]
  return orders && instructionOf(payment).isPrivate ? withRedactedBankText(orders) : orders
}
