/** Prices an exchange: the mid-market rate with the provider's margin of half a percent. */

import Big from 'big.js'
import { formatShortInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { ExchangeColumns } from '../tables.ts'
import { cutOffOn } from './dealing-calendar.ts'
import { divide, formatDecimal, fromMinor, toMinor } from './decimal.ts'
import { formatAmount, midRate, pairCode, pairOf, RATE_DECIMALS } from './market.ts'
import { type ExchangeRequest, parseExchangeRequest } from './parse-exchange-request.ts'

/** Factor on the mid-market rate, to the client's disadvantage. */
const MARGIN = new Big('1.005')

export type PriceRequest = Omit<ExchangeRequest, 'conversionOn'>

export type Price = {
  readonly buyMinor: bigint
  readonly sellMinor: bigint
  readonly clientRate: string
  readonly midRate: string
}

/** The other amount is computed from the printed rate, rounded half up. */
export function priceOf({ buy, sell, fixedSide, minor }: PriceRequest): Price {
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
    buyMinor: fixedSide === 'buy' ? minor : otherMinor,
    sellMinor: fixedSide === 'sell' ? minor : otherMinor,
    clientRate: formatDecimal(client, 4),
    midRate: formatDecimal(mid, 4),
  }
}

/** What is exchanged at the current price, as quotes and conversions have it. */
export function exchangeColumns(requested: ExchangeRequest): ExchangeColumns {
  const { buy, sell, fixedSide, conversionOn } = requested
  const price = priceOf(requested)
  return {
    buy_currency: buy.code,
    sell_currency: sell.code,
    fixed_side: fixedSide,
    buy_minor: price.buyMinor,
    sell_minor: price.sellMinor,
    client_rate: price.clientRate,
    mid_rate: price.midRate,
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
  const { buy, sell, fixedSide, conversionOn } = requested
  const price = priceOf(requested)
  return {
    settlement_cut_off_time: formatShortInstant(cutOffOn(sell, conversionOn)),
    currency_pair: pairCode(buy.code, sell.code),
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
