/** Shows a quote to its partner. */
import type { ExchangeQuote } from '../../../contract/fx/fx-operations.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { printMoney } from '../../platform/money.ts'
import { rateOf } from '../rates/rate-arithmetic.ts'
import { payoutDateOf } from './create-quote.ts'
import { showIntermediary } from './intermediary-account-response.ts'
import type { Quote } from './quote.ts'

export function showQuote(quote: Quote): ExchangeQuote {
  const { held, cost, markupPercent } = quote
  return {
    quoteId: quote.id,
    endToEndId: quote.endToEndId,
    requestedAmount: printMoney(held.buy),
    costAmount: printMoney(cost),
    exchangeRate: rateOf(cost, held.buy),
    quoteExpiryTime: printTimestamp(quote.expiresAt),
    referenceCode: quote.referenceCode,
    intermediaryAccount: showIntermediary(quote.intermediary),
    ...(markupPercent === null ? {} : { markup: markupPercent }),
    chargeBearer: 'SHA',
    payoutDate: payoutDateOf(quote).toString(),
  }
}
