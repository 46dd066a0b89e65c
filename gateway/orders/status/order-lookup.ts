/** Selects the bank product through which the order of a payment is looked up. */
import type { Connector, OrderOperations } from '../../banks/connector/connector.ts'
import type { Context } from '../../context.ts'
import { instructionOf } from '../instruction.ts'
import { type Payment, productAtBank } from '../payment.ts'
import { withRedactedBankText } from '../redact-bank-text.ts'
import { listKnownPayrollTransactions } from '../store/payroll-transaction-store.ts'

type Products = Pick<Connector, 'domesticPayments' | 'crossBorderPayments' | 'bulkPayments'>

/**
 * Returns the order operations of the payment's product, or undefined where the bank has none. Bank texts about private
 * orders are redacted.
 */
export function orderLookupOf(context: Context, payment: Payment, connector: Products): OrderOperations | undefined {
  const orders = ordersOf(context, payment, connector)
  return orders && instructionOf(payment).isPrivate ? withRedactedBankText(orders) : orders
}

function ordersOf(
  { database }: Context,
  payment: Payment,
  { domesticPayments, crossBorderPayments, bulkPayments }: Products,
): OrderOperations | undefined {
  switch (productAtBank(payment)) {
    case 'domestic':
      return domesticPayments
    case 'cross-border':
      return crossBorderPayments
    case 'bulk':
      return (
        bulkPayments && {
          ...bulkPayments,
          read: async (caller, order, known) =>
            await bulkPayments.read(caller, order, {
              ...known,
              elements: await listKnownPayrollTransactions(database, payment),
            }),
        }
      )
    case 'file':
      return undefined
  }
}
