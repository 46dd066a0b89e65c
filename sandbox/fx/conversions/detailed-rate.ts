/** Tells what an exchange costs at this moment; nothing is held. */
import { cutOffOn } from '../market/dealing-calendar.ts'
import { pairOf, printAmount } from '../market/market.ts'
import { priceOf } from '../market/price.ts'
import { printShort } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { refused } from '../protocol/provider-api-error.ts'
import { readExchange } from './parse-exchange-request.ts'

const ERROR_CODE = 'detailed_rates_failed'

export function detailedRate(call: Call): object {
  const asked = readExchange(call, ERROR_CODE)
  if (call.context.faults.take('no-rate') !== undefined) {
    throw refused(ERROR_CODE, 'base', 'rate_could_not_be_retrieved', 'The rate could not be retrieved')
  }
  const { buy, sell, fixedSide, conversionOn } = asked
  const price = priceOf(asked)
  return {
    settlement_cut_off_time: printShort(cutOffOn(sell, conversionOn)),
    currency_pair: pairOf(buy, sell)
      .map(({ code }) => code)
      .join(''),
    client_buy_currency: buy.code,
    client_sell_currency: sell.code,
    client_buy_amount: printAmount(price.buyMinor, buy.code),
    client_sell_amount: printAmount(price.sellMinor, sell.code),
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
