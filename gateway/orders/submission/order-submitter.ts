/** Writes the order of a payment that is kept once more, and hands it over: identical amount, receiver and date. */

import type { BulkTaken } from '../../banks/bulk-order.ts'
import type { BankCaller, Connector } from '../../banks/connector/connector.ts'
import type { InitiationRequest } from '../../banks/connector/order-at-bank.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { crossBorderOrderOf } from '../instructions/build-cross-border-order.ts'
import { bankOrderOf } from '../instructions/build-domestic-payment-order.ts'
import type { PartnersPayment } from '../payment.ts'

/** Asks a bank to take the order. */
export type PlaceOrder = (caller: BankCaller, request: InitiationRequest) => Promise<BulkTaken>

/** Undefined where the bank has no such product, and for what funds an exchange: its price is not given twice. */
export function placerOf(
  { domesticPayments, crossBorderPayments }: Pick<Connector, 'domesticPayments' | 'crossBorderPayments'>,
  { countryCode }: Pick<Bank, 'countryCode'>,
  payment: PartnersPayment,
  debtorIban: string | null,
): PlaceOrder | undefined {
  if (payment.exchange !== null) {
    return undefined
  }
  if (payment.type === 'Domestic') {
    const order = bankOrderOf(payment.ordered, countryCode, debtorIban)
    return domesticPayments && ((caller, request) => domesticPayments.initiate(caller, order, request))
  }
  const order = crossBorderOrderOf(payment.ordered, countryCode, debtorIban)
  return crossBorderPayments && ((caller, request) => crossBorderPayments.initiate(caller, order, request))
}
