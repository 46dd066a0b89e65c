/** Renders the terms of an exchange for partners: cost, rate, expiry and funding account. */
import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import { intermediaryAccountResponse } from '../fx/quotes/intermediary-account-response.ts'
import type { Quote } from '../fx/quotes/quote.ts'
import { rateOf } from '../fx/rates/rate-arithmetic.ts'
import { formatMoney } from '../platform/money.ts'
import { formatTimestamp } from '../platform/time-format.ts'

/** Returns the terms of a quote that a payment books. */
export function exchangeTermsOf(
  quote: Pick<Quote, 'id' | 'cost' | 'held' | 'expiresAt' | 'intermediary'>,
): ExchangeTerms {
  return {
    costAmount: formatMoney(quote.cost),
    exchangeRate: rateOf(quote.cost, quote.held.buy),
    quoteExpiryTime: formatTimestamp(quote.expiresAt),
    intermediaryAccount: intermediaryAccountResponse(quote.intermediary),
    quoteId: quote.id,
  }
}
