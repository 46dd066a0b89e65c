/** Finds how a payment is asked after at its bank: as the order of a product, which need not be of the payment's own kind. */
import type { Connector, OrdersAtBank } from '../../banks/connector/connector.ts'
import type { Context } from '../../context.ts'
import { ordersInOwnWords } from '../../payments/payroll-order/in-own-words.ts'
import { isPartners, type Payment, productAtBank } from '../payment.ts'
import { listKnownElements } from '../payroll/payroll-transaction-store.ts'

type Products = Pick<Connector, 'domesticPayments' | 'crossBorderPayments' | 'bulkPayments'>

/** The bank's orders of the payment's product; undefined where the bank has none such. What is said of payrolls is in words of ours. */
export function ordersLike(
  context: Pick<Context, 'database'>,
  payment: Payment,
  connector: Products,
): OrdersAtBank | undefined {
  const orders = ordersOf(context, payment, connector)
  return orders === undefined || isPartners(payment) ? orders : ordersInOwnWords(orders)
}

function ordersOf(
  { database }: Pick<Context, 'database'>,
  payment: Payment,
  { domesticPayments, crossBorderPayments, bulkPayments }: Products,
): OrdersAtBank | undefined {
  switch (productAtBank(payment)) {
    case 'domestic':
      return domesticPayments
    case 'cross-border':
      return crossBorderPayments
    case 'bulk':
      return (
        bulkPayments && {
          ...bulkPayments,
          read: async (caller, placed, known) =>
            await bulkPayments.read(caller, placed, { ...known, elements: await listKnownElements(database, payment) }),
        }
      )
    case 'file':
      return undefined
  }
}
