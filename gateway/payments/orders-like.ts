/** Finds how a payment is asked after at its bank: as the order of a product, which need not be of the payment's own kind. */
import type { Connector, OrdersAtBank } from '../banks/connector.ts'
import { type Payment, productAtBank } from './payment.ts'

/** The bank's orders of the payment's product; undefined where the bank has none such. */
export function ordersLike(
  payment: Pick<Payment, 'type' | 'exchange'>,
  { domesticPayments, crossBorderPayments }: Pick<Connector, 'domesticPayments' | 'crossBorderPayments'>,
): OrdersAtBank | undefined {
  return productAtBank(payment) === 'cross-border' ? crossBorderPayments : domesticPayments
}
