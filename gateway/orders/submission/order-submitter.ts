/** Builds the order of a stored payment again and submits it: identical amount, creditor and date. */

import type { BulkInitiationResult } from '../../banks/connector/bulk-order.ts'
import type { BankCaller, Connector } from '../../banks/connector/connector.ts'
import type { InitiationRequest } from '../../banks/connector/order-at-bank.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { buildCrossBorderOrder } from '../instructions/build-cross-border-order.ts'
import { buildDomesticPaymentOrder } from '../instructions/build-domestic-payment-order.ts'
import type { PartnerPayment } from '../payment.ts'

/** Submits the order to the bank. */
export type OrderSubmitter = (caller: BankCaller, request: InitiationRequest) => Promise<BulkInitiationResult>

/** Returns undefined where the bank lacks the product, and for funding orders: an exchange rate is not given twice. */
export function orderSubmitterOf(
  { domesticPayments, crossBorderPayments }: Pick<Connector, 'domesticPayments' | 'crossBorderPayments'>,
  { countryCode }: Pick<Bank, 'countryCode'>,
  payment: PartnerPayment,
  debtorIban: string | null,
): OrderSubmitter | undefined {
  if (payment.exchange !== null) {
    return undefined
  }
  if (payment.type === 'Domestic') {
    const order = buildDomesticPaymentOrder(payment.ordered, countryCode, debtorIban)
    return domesticPayments && ((caller, request) => domesticPayments.initiate(caller, order, request))
  }
  const order = buildCrossBorderOrder(payment.ordered, countryCode, debtorIban)
  return crossBorderPayments && ((caller, request) => crossBorderPayments.initiate(caller, order, request))
}
