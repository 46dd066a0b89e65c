/** Returns payments to the partner: one with its details, its status, or a list by filter, page by page. */

import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import type { PaymentPage } from '../../contract/payments/payment-operations.ts'
import type { Payment as PaymentDetail, PaymentSummary } from '../../contract/payments/payment-response.ts'
import type { PaymentStatusResponse } from '../../contract/payments/payment-status.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { endToEndIdFor } from '../banks/connector/shorten-end-to-end-id.ts'
import type { Context } from '../context.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { type OrderList, pageOf } from '../orders/order-list-query.ts'
import { findExpectedExecutionDate } from '../orders/parse/execution-day.ts'
import {
  isFinal,
  isOutcomeUnknown,
  isPartnerPayment,
  type PartnerPayment,
  productAtBank,
  renderPaymentStatus,
} from '../orders/payment.ts'
import { pollDueOrders } from '../orders/status/poll-due-orders.ts'
import { listPaymentsOf } from '../orders/store/payment-list-store.ts'
import { listHistory } from '../orders/store/payment-status-store.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { presentFields } from '../platform/collections.ts'
import { formatMoney, parseMoney } from '../platform/money.ts'
import { exchangeDetailsOf } from './exchange-details.ts'

/** Returns the status, after a poll of the bank when one is due. Throws 404 for an unknown payment. */
export async function getPaymentStatus(
  context: Context,
  caller: PartnerCaller,
  id: string,
): Promise<PaymentStatusResponse> {
  const payment = await findAndPollPayment(context, caller, id)
  return { ...renderPaymentStatus(payment), ...(isOutcomeUnknown(payment) ? { outcomeUnknown: true } : {}) }
}

/** Returns the order with its status, exchange and history. Throws 404 for an unknown payment. */
export async function getPayment(context: Context, caller: PartnerCaller, id: string): Promise<PaymentDetail> {
  const payment = await findAndPollPayment(context, caller, id)
  const history = await listHistory(context.database, payment)
  const expected = await findExpectedExecutionDate(context, payment)
  const bankReference = await bankReferenceOf(context, payment)
  const exchange = await exchangeDetailsOf(context, payment)
  return {
    ...renderListedPayment(payment),
    ...bankReference,
    ...expected,
    ...exchange,
    statusHistory: history.map(renderPaymentStatus),
  }
}

/** Returns the endToEndId that debtor and creditor see, where the bank transmits one. */
async function bankReferenceOf(
  { banks }: Context,
  payment: PartnerPayment,
): Promise<{ readonly bankEndToEndId?: string }> {
  const bank = await banks.find(payment.bic)
  const fields = bank?.supports
  const productFields = productAtBank(payment) === 'cross-border' ? fields?.crossBorder : fields
  const bankEndToEndId = productFields && endToEndIdFor(payment.endToEndId, productFields)
  return presentFields({ bankEndToEndId })
}

/** Polls the bank first when that is due. */
async function findAndPollPayment(context: Context, { partnerId }: PartnerCaller, id: string): Promise<PartnerPayment> {
  const payment = await findPaymentOf(context, partnerId, id)
  const [polled] = (await pollDueOrders(context, [payment])).filter(isPartnerPayment)
  return polled ?? payment
}

/** Renders a payment as lists show it. */
export function renderListedPayment(payment: PartnerPayment): PaymentSummary {
  const state = {
    paymentId: payment.id,
    paymentStatus: renderPaymentStatus(payment),
    finalStatus: isFinal(payment),
    outcomeUnknown: isOutcomeUnknown(payment),
    createdAt: formatTimestamp(payment.createdAt),
    updatedAt: formatTimestamp(payment.changedAt),
  }
  if (payment.type === 'Domestic') {
    const { type, ordered } = payment
    return { ...ordered, type, from: renderDebtor(ordered.from), amount: formatMoney(payment.amount), ...state }
  }
  const { type, ordered } = payment
  // What the creditor receives, which differs from the amount of the funding order.
  const requested = parseMoney(ordered.amount.amount, ordered.amount.currency)
  const amount = requested === undefined ? ordered.amount : formatMoney(requested)
  return { ...ordered, type, from: renderDebtor(ordered.from), amount, ...exchangeTermsOf(payment), ...state }
}

/** Returns the terms of the exchange that the payment itself stores. */
function exchangeTermsOf({ exchange, amount, quoteId, deadlineAt }: PartnerPayment): ExchangeTerms {
  return exchange === null || quoteId === null || deadlineAt === null
    ? {}
    : { costAmount: formatMoney(amount), quoteId, quoteExpiryTime: formatTimestamp(deadlineAt) }
}

function renderDebtor<Debtor extends { readonly organizationNumber?: string | number }>({
  organizationNumber,
  ...debtor
}: Debtor) {
  return { ...debtor, ...(organizationNumber === undefined ? {} : { organizationNumber: String(organizationNumber) }) }
}

/** Returns a page of the partner's payments, oldest first, or by their last change if `updatedSince` is given. */
export async function listPayments(context: Context, list: OrderList): Promise<PaymentPage> {
  const { scope, filter, limit } = list
  const payments = await listPaymentsOf(context.database, scope.partnerId, filter, limit + 1)
  const { page, nextCursor } = pageOf(context, list, payments)
  return { payments: page.map(renderListedPayment), nextCursor }
}
