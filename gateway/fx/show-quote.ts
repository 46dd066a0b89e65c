/** Shows a quote to its partner. */
import type { ExchangeQuote } from '../../contract/fx-operations.ts'
import { printMoney } from '../foundation/money.ts'
import { printTimestamp } from '../foundation/print-timestamp.ts'
import { rateOf } from './exact-rate.ts'
import { payoutDateOf } from './give-quote.ts'
import type { Quote } from './quote.ts'
import { showIntermediary } from './show-intermediary.ts'

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
