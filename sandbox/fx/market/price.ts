/** Prices an exchange: the mid-market rate with the provider's margin of half a percent. */

import Big from 'big.js'
import { formatShortInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { ExchangeColumns } from '../tables.ts'
import { cutOffOn } from './dealing-calendar.ts'
import {
  divide,
  formatAmount,
  formatDecimal,
  fromMinor,
  midRate,
  pairCode,
  pairOf,
  RATE_DECIMALS,
  toMinor,
} from './market.ts'
import { type ExchangeRequest, parseExchangeRequest } from './parse-exchange-request.ts'

/** Factor on the mid-market rate, to the client's disadvantage. */
const MARGIN = new Big('1.005')

export type PriceRequest = Omit<ExchangeRequest, 'conversionOn'>

/** The other amount is computed from the printed rate, rounded half up. */
export function priceOf({ buy, sell, fixedSide, minor }: PriceRequest) {
  const pair = pairOf(buy, sell)
  const mid = midRate(pair)
  const buysFirst = pair[0] === buy
  const client = buysFirst
    ? mid.times(MARGIN).round(RATE_DECIMALS, Big.roundHalfUp)
    : divide(mid, MARGIN, RATE_DECIMALS)
  // The rate is for one unit of the pair's first currency.
  const isMultiplied = (fixedSide === 'buy') === buysFirst
  const given = fromMinor(minor, (fixedSide === 'buy' ? buy : sell).decimals)
  const { decimals } = fixedSide === 'buy' ? sell : buy
  const otherMinor = toMinor(isMultiplied ? given.times(client) : divide(given, client, decimals), decimals)
  return {
    buy_minor: fixedSide === 'buy' ? minor : otherMinor,
    sell_minor: fixedSide === 'sell' ? minor : otherMinor,
    client_rate: formatDecimal(client, 4),
    mid_rate: formatDecimal(mid, 4),
  }
}

/** What is exchanged at the current price, as quotes and conversions have it. */
export function exchangeColumns(requested: ExchangeRequest): ExchangeColumns {
  const { buy, sell, fixedSide, conversionOn } = requested
  return {
    ...priceOf(requested),
    buy_currency: buy.code,
    sell_currency: sell.code,
    fixed_side: fixedSide,
    conversion_on: conversionOn,
    settles_at: cutOffOn(sell, conversionOn),
  }
}

const ERROR_CODE = 'detailed_rates_failed'

export function detailedRate(call: OperationCall): object {
  const requested = parseExchangeRequest(call, ERROR_CODE)
  if (call.context.faults.take('no-rate') !== undefined) {
    throw fieldRejected(ERROR_CODE, 'base', 'rate_could_not_be_retrieved', 'The rate could not be retrieved')
  }
  const price = exchangeColumns(requested)
  const { buy_currency: buy, sell_currency: sell } = price
  return {
    settlement_cut_off_time: formatShortInstant(price.settles_at),
    currency_pair: pairCode(buy, sell),
    client_buy_currency: buy,
    client_sell_currency: sell,
    client_buy_amount: formatAmount(price.buy_minor, buy),
    client_sell_amount: formatAmount(price.sell_minor, sell),
    fixed_side: price.fixed_side,
    mid_market_rate: price.mid_rate,
    client_rate: price.client_rate,
    partner_rate: null,
    core_rate: price.client_rate,
    deposit_required: null,
    deposit_amount: '0.0',
    deposit_currency: sell,
  }
}
