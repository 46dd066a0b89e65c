/** Renders a quote as the API response. */
import type { ExchangeQuote } from '../../../contract/fx/fx-operations.ts'
import { formatTimestamp } from '../../platform/format-timestamp.ts'
import { formatMoney } from '../../platform/money.ts'
import { rateOf } from '../rates/rate-arithmetic.ts'
import { payoutDateOf } from './create-quote.ts'
import { intermediaryAccountResponse } from './intermediary-account-response.ts'
import type { Quote } from './quote.ts'

export function quoteResponse(quote: Quote): ExchangeQuote {
  const { held, cost, markupPercent } = quote
  return {
    quoteId: quote.id,
    endToEndId: quote.endToEndId,
    requestedAmount: formatMoney(held.buy),
    costAmount: formatMoney(cost),
    exchangeRate: rateOf(cost, held.buy),
    quoteExpiryTime: formatTimestamp(quote.expiresAt),
    referenceCode: quote.referenceCode,
    intermediaryAccount: intermediaryAccountResponse(quote.intermediary),
    ...(markupPercent === null ? {} : { markup: markupPercent }),
    chargeBearer: 'SHA',
    payoutDate: payoutDateOf(quote).toString(),
  }
}
