/** Finds the quote that a cross-border payment books: the one it names, or a fresh one. */
import { isDeepStrictEqual } from 'node:util'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import { FxRefusal } from '../../fx/providers/fx-provider-error.ts'
import { giveQuote } from '../../fx/quotes/create-quote.ts'
import { type ExchangeAsked, termsOf } from '../../fx/quotes/exchange-request.ts'
import { findQuote } from '../../fx/quotes/find-quote.ts'
import { isOver, type Quote } from '../../fx/quotes/quote.ts'
import { refusalOfExchange } from '../../orders/exchange/exchange-errors.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { Invalid, invalid, type Problem } from '../../platform/http/errors/api-error.ts'
import { exchangeAskedOf } from './exchange-request.ts'

/**
 * What is paid out, and to whom, is what the payment says: of a quote that it names, the receiver must be the very one
 * that the provider judged. Throws 422 for a quote that is over or is of something else, and what the provider refuses in
 * the codes of payments.
 */
export async function quoteFor(context: FxContext, caller: ConsentCaller, ordered: CrossBorderPayment): Promise<Quote> {
  const asked = exchangeAskedOf(ordered, caller)
  if (ordered.quoteId !== undefined) {
    return await requireQuote(context, caller, ordered.quoteId, asked)
  }
  try {
    return await giveQuote(context, caller, asked)
  } catch (error) {
    throw error instanceof FxRefusal ? refusalOfExchange(error) : error
  }
}

async function requireQuote(
  context: FxContext,
  { partnerId }: ConsentCaller,
  quoteId: string,
  asked: ExchangeAsked,
): Promise<Quote> {
  const quote = await findQuote(context, { partnerId, id: quoteId.toLowerCase() })
  if (quote === undefined) {
    throw invalid('.quoteId', 'is no quote of yours')
  }
  if (isOver(quote, context.clock.now())) {
    throw invalid('.quoteId', `is over since ${printTimestamp(quote.expiresAt)}`)
  }
  const problems = differences(quote, asked)
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
  return { ...quote, terms: termsOf(asked) }
}

/** A price is given for one payment: who pays, what, when, and to whom. */
function differences(quote: Quote, asked: ExchangeAsked): readonly Problem[] {
  const { held, cost, company, terms, fundingCountry, fundingDate } = quote
  const problem = (path: string, quoted: string) =>
    ({ code: 'InvalidRequest', path, reason: `is not what was quoted: ${quoted}` }) as const
  const isSameAmount = held.buy.minor === asked.amount.minor && held.buy.currency === asked.amount.currency
  return [
    ...(company.organisationNumber === asked.company.organisationNumber && fundingCountry === asked.fundingCountry
      ? []
      : [problem('.quoteId', 'another company, or another country to pay from')]),
    ...(cost.currency === asked.fundingCurrency ? [] : [problem('.from.currency', cost.currency)]),
    ...(isDeepStrictEqual(terms.beneficiary, termsOf(asked).beneficiary) ? [] : [problem('.to', 'another receiver')]),
    ...(isSameAmount ? [] : [problem('.amount', `${held.buy.currency}, and another amount`)]),
    ...(fundingDate.equals(asked.dueDate) ? [] : [problem('.dueDate', fundingDate.toString())]),
  ]
}
