/** Finds the quote that a cross-border payment books: the one it names, or a new one. */
import { isDeepStrictEqual } from 'node:util'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { FxProviderError } from '../../fx/providers/fx-provider-error.ts'
import { createQuote } from '../../fx/quotes/create-quote.ts'
import { companyPayer, type ExchangeRequest, termsOf } from '../../fx/quotes/exchange-order.ts'
import { findQuote } from '../../fx/quotes/find-quote.ts'
import { isQuoteExpired, type Quote } from '../../fx/store/quote.ts'
import { InvalidRequestError, invalidRequest, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import type { ValidCrossBorderPayment } from '../parse/cross-border-parts.ts'
import { exchangeError } from './exchange-errors.ts'

/**
 * The payment determines the payout; the creditor of a quote that it names must be identical, because the provider has
 * validated it. Throws 422 for a quote that has expired or differs from the payment, and the provider's errors in the
 * codes of payments.
 */
export async function findOrCreateQuote(
  context: Context,
  caller: ConsentCaller,
  payment: ValidCrossBorderPayment,
): Promise<Quote> {
  const request = exchangeRequestOf(payment, caller)
  const { quoteId } = payment.ordered
  if (quoteId !== undefined) {
    return await requireQuote(context, caller, quoteId, request)
  }
  try {
    return await createQuote(context, caller, request)
  } catch (error) {
    throw error instanceof FxProviderError ? exchangeError(error) : error
  }
}

async function requireQuote(
  context: Context,
  { partnerId }: ConsentCaller,
  quoteId: string,
  request: ExchangeRequest,
): Promise<Quote> {
  const quote = await findQuote(context, { partnerId, id: quoteId.toLowerCase() })
  if (quote === undefined) {
    throw invalidRequest('.quoteId', 'is not one of your quotes')
  }
  if (isQuoteExpired(quote, context.clock.now())) {
    throw invalidRequest('.quoteId', `expired at ${formatTimestamp(quote.expiresAt)}`)
  }
  const errors = differences(quote, request)
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  return { ...quote, terms: termsOf(request) }
}

/** A rate applies to one payment: debtor, amount, date and creditor. */
function differences(quote: Quote, request: ExchangeRequest): readonly ValidationError[] {
  const { held, cost, company, terms, fundingCountry, fundingDate } = quote
  const difference = (path: string, quoted: string) =>
    ({ code: 'InvalidRequest', path, reason: `differs from the quote: ${quoted}` }) as const
  const isSameAmount = held.buy.minor === request.amount.minor && held.buy.currency === request.amount.currency
  return [
    ...(company.organisationNumber === request.company.organisationNumber && fundingCountry === request.fundingCountry
      ? []
      : [difference('.quoteId', 'it is for another company or another debtor country')]),
    ...(cost.currency === request.fundingCurrency ? [] : [difference('.from.currency', cost.currency)]),
    ...(isDeepStrictEqual(terms.beneficiary, termsOf(request).beneficiary)
      ? []
      : [difference('.to', 'another receiver')]),
    ...(isSameAmount ? [] : [difference('.amount', `${held.buy.currency}, and another amount`)]),
    ...(fundingDate.equals(request.dueDate) ? [] : [difference('.dueDate', fundingDate.toString())]),
  ]
}

/** The amount that the creditor receives is fixed. */
function exchangeRequestOf(
  { ordered: { from, to, metadata }, amount, dueDate, destination }: ValidCrossBorderPayment,
  { consent }: Pick<ConsentCaller, 'consent'>,
): ExchangeRequest {
  const { countryCode, organisationNumber } = consent
  return {
    company: { countryCode, organisationNumber },
    endToEndId: metadata.endToEndId,
    payer: companyPayer(from, organisationNumber),
    fundingCountry: countryCode,
    fundingCurrency: from.currency,
    fixedSide: 'buy',
    amount,
    dueDate,
    receiver: { name: to.contactInformation.name, destination },
  }
}
