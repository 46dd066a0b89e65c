/** Builds stored orders again and submits them: identical amounts, creditors and dates. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { Connector } from '../../banks/connector/connector.ts'
import type { Context } from '../../context.ts'
import { orderOfAcceptedCrossBorderPayment } from '../parse/cross-border-parts.ts'
import { orderOfAcceptedPayment, withDebtorIban } from '../parse/domestic-order.ts'
import { buildBulkOrder, buildSingleOrder, type PayrollOrderTerms } from '../parse/payroll-orders.ts'
import type { PartnerPayment, PayrollPayment } from '../payment.ts'
import { bulkIdOf, type PayrollContents } from '../payroll-order.ts'
import { readPayrollContents } from '../store/payroll-contents.ts'
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
    const order = withDebtorIban(orderOfAcceptedPayment(payment.ordered, countryCode), debtorIban)
    return domesticPayments && ((caller, request) => domesticPayments.initiate(caller, order, request))
  }
  const order = withDebtorIban(orderOfAcceptedCrossBorderPayment(payment.ordered, countryCode), debtorIban)
  return crossBorderPayments && ((caller, request) => crossBorderPayments.initiate(caller, order, request))
}

/** Returns undefined where the bank lacks the product. */
export async function payrollOrderSubmitter(
  context: Context,
  connector: Pick<Connector, 'domesticPayments' | 'bulkPayments'>,
  bank: Bank,
  payment: PayrollPayment & { readonly debtorIban: string | null },
): Promise<InitiateOrder | undefined> {
  const { partnerId, ordered, dueDate, debtorIban } = payment
  const contents = await readPayrollContents(context, { partnerId, payrollId: ordered.payrollId }, ordered)
  const terms = { countryCode: bank.countryCode, currency: ordered.from.currency, dueDate, debtorIban }
  return await submitterForProduct(connector, bank, { payment, contents, terms })
}

type OrderToSubmit = {
  readonly payment: Pick<PayrollPayment, 'id' | 'ordered'>
  readonly contents: PayrollContents
  readonly terms: PayrollOrderTerms
}

async function submitterForProduct(
  { domesticPayments, bulkPayments }: Pick<Connector, 'domesticPayments' | 'bulkPayments'>,
  { profile }: Bank,
  { payment, contents, terms }: OrderToSubmit,
): Promise<InitiateOrder | undefined> {
  switch (payment.ordered.as) {
    case 'single': {
      const order = buildSingleOrder(contents, terms)
      return domesticPayments && ((caller, request) => domesticPayments.initiate(caller, order, request))
    }
    case 'bulk': {
      const batchBooking = profile.payroll?.batchBooking === true
      const order = await buildBulkOrder(contents, terms, { bulkId: bulkIdOf(payment.id), batchBooking })
      return bulkPayments && ((caller, request) => bulkPayments.initiate(caller, order, request))
    }
    case 'file':
      return undefined
  }
}
