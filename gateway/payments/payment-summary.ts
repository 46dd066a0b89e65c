/** Renders the summary of a payment that a user sees before signing; it is stored as evidence. */

import type { RemittanceInformation } from '../../contract/payments/remittance.ts'
import {
  type SummaryItem,
  summaryAmount,
  summaryDay,
  summaryMoney,
  summaryText,
  summaryTime,
} from '../authorisations/signature-summary.ts'
import { countryRules } from '../countries/served-countries.ts'
import { rateOf } from '../fx/rates/rate-arithmetic.ts'
import { isPartnerPayment, type PartnerPayment, type Payment } from '../orders/payment.ts'
import { type Money, parseMoney } from '../platform/money.ts'

/** Payments of partners, each as one item. */
export async function paymentSummaries(orders: readonly Payment[]): Promise<readonly SummaryItem[]> {
  return orders.filter(isPartnerPayment).map(paymentSummary)
}

function paymentSummary(payment: PartnerPayment): SummaryItem {
  const { amount, ordered, debtorBban, creditorBban, dueDate } = payment
  const exchange = payment.type === 'CrossBorder' ? shownExchange(payment) : undefined
  return [
    summaryAmount(amount),
    summaryText('to', ordered.to.contactInformation.name),
    ...(exchange ?? [{ label: 'to-account', value: creditorBban, kind: 'account' }]),
    { label: 'from-account', value: debtorBban, kind: 'account' },
    summaryDay('date', dueDate),
    ...shownRemittance(payment),
  ]
}

/** The signed payment goes to an FX provider, which pays the creditor: both accounts, both amounts, the rate and the deadline. */
function shownExchange(payment: Extract<PartnerPayment, { readonly type: 'CrossBorder' }>): SummaryItem | undefined {
  const { ordered, exchange, deadlineAt, amount: cost, creditorBban, countryCode } = payment
  if (exchange === null || deadlineAt === null) {
    return undefined
  }
  const { bban, iban } = ordered.to.account
  const payout = parseMoney(ordered.amount.amount, ordered.amount.currency)
  const zone = countryRules(countryCode)?.timeZone ?? 'UTC'
  return [
    { label: 'to-account', value: iban ?? bban ?? '', kind: 'account' },
    ...(payout === undefined ? [] : [summaryMoney('receives', payout), summaryText('rate', rateText(cost, payout))]),
    { label: 'through-account', value: creditorBban, kind: 'account' },
    summaryTime('sign-before', deadlineAt.toZonedDateTimeISO(zone)),
  ]
}

function rateText(cost: Money, payout: Money): string {
  return `1 ${payout.currency} = ${rateOf(cost, payout)} ${cost.currency}`
}

function shownRemittance(payment: PartnerPayment): SummaryItem {
  if (payment.type === 'CrossBorder') {
    return [summaryText('message', payment.ordered.remittanceInformation.message)]
  }
  const remittance = payment.ordered.remittanceInformation
  switch (remittance?.type) {
    case undefined:
      return []
    case 'message':
      return [summaryText('message', remittance.value)]
    case 'ocr':
      return [summaryText('reference', remittance.value)]
    case 'fik': {
      const message = 'message' in remittance ? remittance.message : undefined
      return [
        summaryText('reference', printedFormOf(remittance)),
        ...(message === undefined ? [] : [summaryText('message', message)]),
      ]
    }
  }
}

/** The line of a Danish payment form as it is printed, also of one that was ordered by its parts. */
export function printedFormOf(fik: Extract<RemittanceInformation, { readonly type: 'fik' }>): string {
  return 'value' in fik ? fik.value : `+${fik.cardType}<${fik.paymentId ?? ''}+${fik.creditorNumber}<`
}
