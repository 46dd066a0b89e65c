/** Finds how a payment is asked after at its bank: as the order of a product, which need not be of the payment's own kind. */
import type { Connector, OrdersAtBank } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import { type Payment, productAtBank } from './payment.ts'
import { listKnownElements } from './payroll-order/element-store.ts'

/** The bank's orders of the payment's product; undefined where the bank has none such. */
export function ordersLike(
  { database }: Pick<Context, 'database'>,
  payment: Payment,
  connector: Pick<Connector, 'domesticPayments' | 'crossBorderPayments' | 'bulkPayments'>,
): OrdersAtBank | undefined {
  const { domesticPayments, crossBorderPayments, bulkPayments } = connector
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
