/** Writes the order of payouts that are kept once more, and hands it over: identical amounts, receivers and date. */

import type { Connector } from '../../banks/connector/connector.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import { takenInOwnWords } from '../../payments/payroll-order/in-own-words.ts'
import type { PayrollPayment } from '../payment.ts'
import type { PlaceOrder } from '../submission/order-submitter.ts'
import { bulkOrderOf, type PayoutTerms, singleOrderOf } from './build-payroll-orders.ts'
import { payrollContents } from './payroll-contents.ts'
import { bulkIdOf, type PayrollContents } from './payroll-order.ts'

/** Undefined where the bank has no such product. */
export async function payoutPlacerOf(
  context: Pick<Context, 'database' | 'seal'>,
  connector: Pick<Connector, 'domesticPayments' | 'bulkPayments'>,
  bank: Bank,
  payment: PayrollPayment & { readonly debtorIban: string | null },
): Promise<PlaceOrder | undefined> {
  const { partnerId, ordered, dueDate, debtorIban } = payment
  const contents = await payrollContents(context, { partnerId, payrollId: ordered.payrollId }, ordered)
  const terms = { countryCode: bank.countryCode, currency: ordered.from.currency, dueDate, debtorIban }
  return await placing(connector, bank, { payment, contents, terms })
}

type ToPlace = {
  readonly payment: Pick<PayrollPayment, 'id' | 'ordered'>
  readonly contents: PayrollContents
  readonly terms: PayoutTerms
}

async function placing(
  { domesticPayments, bulkPayments }: Pick<Connector, 'domesticPayments' | 'bulkPayments'>,
  { profile }: Bank,
  { payment, contents, terms }: ToPlace,
): Promise<PlaceOrder | undefined> {
  switch (payment.ordered.as) {
    case 'single': {
      const order = singleOrderOf(contents, terms)
      return (
        domesticPayments &&
        ((caller, request) => takenInOwnWords(() => domesticPayments.initiate(caller, order, request)))
      )
    }
    case 'bulk': {
      const batchBooking = profile.payroll?.batchBooking === true
      const order = await bulkOrderOf(contents, terms, { bulkId: bulkIdOf(payment.id), batchBooking })
      return bulkPayments && ((caller, request) => takenInOwnWords(() => bulkPayments.initiate(caller, order, request)))
    }
    case 'file':
      return undefined
  }
}
