/** Returns a payment to its partner: the order, its status and its history. */

import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import type { Payment as PaymentDetail, PaymentSummary } from '../../contract/payments/payment-response.ts'
import type { PaymentStatusResponse } from '../../contract/payments/payment-status.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { supportedOrderFields } from '../banks/directory/supported-order-fields.ts'
import type { Context } from '../context.ts'
import { findExpectedExecutionDate } from '../orders/parse/execution-day.ts'
import {
  isFinal,
  isOutcomeUnknown,
  isPartnerPayment,
  type PartnerPayment,
  productAtBank,
  renderPaymentStatus,
} from '../orders/payment.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { acquirePollLease } from '../orders/store/payment-status-store.ts'
import { findPayment, listHistory } from '../orders/store/payment-store.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { leaseFor } from '../platform/jobs/lease.ts'
import { formatMoney, parseMoney } from '../platform/money.ts'
import { formatTimestamp } from '../platform/time-format.ts'
import { exchangeDetailsOf } from './exchange-details.ts'

/** Longer than a poll at a bank may take. */
const READ_LEASE = { minutes: 3 }

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
  const fields = bank && supportedOrderFields(bank)
  const productFields = productAtBank(payment) === 'cross-border' ? fields?.crossBorder : fields
  const bankEndToEndId = productFields?.endToEndId(payment.endToEndId) ?? null
  return bankEndToEndId === null ? {} : { bankEndToEndId }
}

/** Polls the bank first when that is due; of concurrent requests only one polls. */
async function findAndPollPayment(context: Context, { partnerId }: PartnerCaller, id: string): Promise<PartnerPayment> {
  const payment = await findPayment(context.database, { partnerId, id: id.toLowerCase() })
  if (payment === undefined || !isPartnerPayment(payment)) {
    throw apiError('not-found', 'There is no payment with this id')
  }
  const isDue = payment.pollAt !== null && Temporal.Instant.compare(payment.pollAt, context.clock.now()) <= 0
  const mayPoll =
    isDue && !isFinal(payment) && (await acquirePollLease(context, payment, leaseFor(context, READ_LEASE)))
  const polled = mayPoll ? await pollPayment(context, payment) : payment
  return isPartnerPayment(polled) ? polled : payment
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
  const terms = exchangeTermsOf(payment)
  return {
    ...ordered,
    type,
    from: renderDebtor(ordered.from),
    amount: formatRequestedAmount(ordered.amount),
    ...terms,
    ...state,
  }
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

/** Formats the amount that the creditor receives, which differs from that of the funding order. */
function formatRequestedAmount({ amount, currency }: CrossBorderPayment['amount']): CrossBorderPayment['amount'] {
  const money = parseMoney(amount, currency)
  return money === undefined ? { amount, currency } : formatMoney(money)
}
