/** Says what partners are told of an exchange: what it costs, at which rate, until when, and where its funding goes. */
import type { ExchangeTerms } from '../../../contract/exchange.ts'
import { printMoney } from '../../foundation/money.ts'
import { printTimestamp } from '../../foundation/print-timestamp.ts'
import { rateOf } from '../../fx/exact-rate.ts'
import type { Quote } from '../../fx/quote.ts'
import { showIntermediary } from '../../fx/show-intermediary.ts'

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
