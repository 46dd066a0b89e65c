/** Finds the quote that a domestic payment books, by its creditor account and the reference code in its message. */

import { creditorAccountNumber, type DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { findQuoteByReferenceText } from '../../fx/quotes/find-quote.ts'
import { referenceCodesIn } from '../../fx/quotes/reference-code.ts'
import { isQuoteExpired, type Quote } from '../../fx/store/quote.ts'
import { InvalidRequestError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { formatMoney } from '../../platform/money.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import { intermediaryAccountNumber } from './funding-order.ts'

/**
 * Returns undefined for any other payment; without a code in the message nothing is looked up. Throws 422 for a payment
 * to the account of a quote that differs from it: the provider would return the money.
 */
export async function findQuoteOfDomesticPayment(
  context: Context,
  caller: ConsentCaller,
  order: DomesticOrder,
): Promise<Quote | undefined> {
  const { remittance } = order
  const message = remittance?.type === 'message' ? remittance.value : ''
  if (context.fx === null || referenceCodesIn(message).length === 0) {
    return undefined
  }
  const quote = await findQuoteByReferenceText(context, message)
  if (quote === undefined || quote.partnerId !== caller.partnerId || !isPaidTo(quote, order)) {
    return undefined
  }
  const errors = differences(quote, caller, order, context.clock.now())
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  return quote
}

function isPaidTo({ intermediary }: Quote, { creditor }: DomesticOrder): boolean {
  return creditorAccountNumber(creditor.account) === intermediaryAccountNumber(intermediary)
}

function differences(
  quote: Quote,
  { consent }: ConsentCaller,
  { amount: paid, dueDate }: DomesticOrder,
  now: Temporal.Instant,
): readonly ValidationError[] {
  const { cost, company, fundingDate, expiresAt } = quote
  const reference = '.remittanceInformation.value'
  const difference = (code: ValidationError['code'], path: string, reason: string): ValidationError => ({
    code,
    path,
    reason,
  })
  const { amount: units, currency } = formatMoney(cost)
  return [
    ...(paid.minor === cost.minor && paid.currency === cost.currency
      ? []
      : [difference('InvalidAmount', '.amount', `differs from the cost of the quote: ${units} ${currency}`)]),
    ...(dueDate.equals(fundingDate)
      ? []
      : [difference('InvalidDueDate', '.dueDate', `differs from the date of the quote: ${fundingDate}`)]),
    ...(isQuoteExpired(quote, now)
      ? [difference('InvalidRemittanceInfo', reference, `names a quote that expired at ${formatTimestamp(expiresAt)}`)]
      : []),
    ...(company.organisationNumber === consent.organisationNumber
      ? []
      : [difference('InvalidRemittanceInfo', reference, 'names a quote of another company')]),
  ]
}
