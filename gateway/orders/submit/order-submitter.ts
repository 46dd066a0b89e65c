/** Builds the order of a stored payment again and submits it: identical amount, creditor and date. */

import type { Connector } from '../../banks/connector/connector.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { buildCrossBorderOrder } from '../parse/build-cross-border-order.ts'
import { orderOfAcceptedPayment } from '../parse/domestic-order.ts'
import type { PartnerPayment } from '../payment.ts'
import type { InitiateOrder } from './submit-once.ts'

/** Returns undefined where the bank lacks the product, and for funding orders: an exchange rate is not given twice. */
export function orderSubmitterOf(
  { domesticPayments, crossBorderPayments }: Pick<Connector, 'domesticPayments' | 'crossBorderPayments'>,
  { countryCode }: Pick<Bank, 'countryCode'>,
  payment: PartnerPayment,
  debtorIban: string | null,
): InitiateOrder | undefined {
  if (payment.exchange !== null) {
    return undefined
  }
  if (payment.type === 'Domestic') {
    const order = orderOfAcceptedPayment(payment.ordered, countryCode, debtorIban)
    return domesticPayments && ((caller, request) => domesticPayments.initiate(caller, order, request))
  }
  const order = buildCrossBorderOrder(payment.ordered, countryCode, debtorIban)
  return crossBorderPayments && ((caller, request) => crossBorderPayments.initiate(caller, order, request))
}
