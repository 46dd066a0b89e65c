/** Says what partners are told of an exchange: what it costs, at which rate, until when, and where its funding goes. */
import type { ExchangeTerms } from '../../../contract/fx/exchange-terms.ts'
import { showIntermediary } from '../../fx/quotes/intermediary-account-response.ts'
import type { Quote } from '../../fx/quotes/quote.ts'
import { rateOf } from '../../fx/rates/rate-arithmetic.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { printMoney } from '../../platform/money.ts'

/** The terms of a quote that a payment books. */
export function exchangeTermsOf(
  quote: Pick<Quote, 'id' | 'cost' | 'held' | 'expiresAt' | 'intermediary'>,
): ExchangeTerms {
  return {
    costAmount: printMoney(quote.cost),
    exchangeRate: rateOf(quote.cost, quote.held.buy),
    quoteExpiryTime: printTimestamp(quote.expiresAt),
    intermediaryAccount: showIntermediary(quote.intermediary),
    quoteId: quote.id,
  }
}
