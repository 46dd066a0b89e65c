/** Returns the current rate of an exchange without holding it. */
import { cutOffOn } from '../market/dealing-calendar.ts'
import { formatAmount, pairOf } from '../market/market.ts'
import { priceOf } from '../market/price.ts'
import { formatShortInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import { parseExchangeRequest } from './parse-exchange-request.ts'

const ERROR_CODE = 'detailed_rates_failed'

export function detailedRate(call: OperationCall): object {
  const requested = parseExchangeRequest(call, ERROR_CODE)
  if (call.context.faults.take('no-rate') !== undefined) {
    throw fieldRejected(ERROR_CODE, 'base', 'rate_could_not_be_retrieved', 'The rate could not be retrieved')
  }
  const { buy, sell, fixedSide, conversionOn } = requested
  const price = priceOf(requested)
  return {
    settlement_cut_off_time: formatShortInstant(cutOffOn(sell, conversionOn)),
    currency_pair: pairOf(buy, sell)
      .map(({ code }) => code)
      .join(''),
    client_buy_currency: buy.code,
    client_sell_currency: sell.code,
    client_buy_amount: formatAmount(price.buyMinor, buy.code),
    client_sell_amount: formatAmount(price.sellMinor, sell.code),
    fixed_side: fixedSide,
    mid_market_rate: price.midRate,
    client_rate: price.clientRate,
    partner_rate: null,
    core_rate: price.clientRate,
    deposit_required: null,
    deposit_amount: '0.0',
    deposit_currency: sell.code,
  }
}
