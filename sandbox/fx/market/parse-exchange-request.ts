/** Parses the currencies, side, amount and date of an exchange; rejects what the provider does not trade. */

import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected, ProviderApiError } from '../protocol/provider-api-error.ts'
import type { FixedSide } from '../tables.ts'
import { type DatePreference, mayConvertOn, preferredDay } from './dealing-calendar.ts'
import { currencyOf, parseAmount, type TradedCurrency } from './market.ts'

export type ExchangeRequest = {
  readonly buy: TradedCurrency
  readonly sell: TradedCurrency
  readonly fixedSide: FixedSide
  /** Of the fixed side. */
  readonly minor: bigint
  readonly conversionOn: Temporal.PlainDate
}

/** The parameters have passed the form validation. */
export function parseExchangeRequest({ parameters, at, context }: OperationCall, errorCode: string): ExchangeRequest {
  const { fixed_side, amount = '' } = parameters
  if (context.faults.take('closed') !== undefined) {
    const code = 'currency_pair_not_available_for_weekend'
    throw fieldRejected(errorCode, code, code, 'The currency pair is not available during the weekend')
  }
  const [buy, sell] = readPair(parameters, errorCode)
  const fixedSide = fixed_side === 'sell' ? 'sell' : 'buy'
  const fixed = fixedSide === 'buy' ? buy : sell
  const minor = parseAmount(amount, fixed)
  if (minor === undefined) {
    throw fieldRejected(errorCode, 'amount', 'amount_type_is_wrong', 'amount should be of numeric type')
  }
  if (minor === 'decimals') {
    const message = `${fixed.code} only supports up to ${fixed.decimals} decimal places`
    throw fieldRejected(errorCode, 'base', 'invalid_decimals', message)
  }
  if (minor === 0n) {
    throw fieldRejected(errorCode, 'amount', 'amount_is_too_small', 'amount can not be smaller than 1')
  }
  return { buy, sell, fixedSide, minor, conversionOn: readDay({ parameters, at }, [buy, sell], errorCode) }
}

function readPair(
  { buy_currency = '', sell_currency = '' }: OperationCall['parameters'],
  errorCode: string,
): readonly [TradedCurrency, TradedCurrency] {
  const [buy, sell] = [currencyOf(buy_currency), currencyOf(sell_currency)]
  if (buy === undefined || sell === undefined || buy === sell) {
    const code = 'ccy_pair_is_not_tradeable'
    throw fieldRejected(
      errorCode,
      'currency_pair',
      code,
      `${buy_currency}${sell_currency} is not a tradeable currency pair`,
    )
  }
  return [buy, sell]
}

function readDay(
  { parameters, at }: Pick<OperationCall, 'parameters' | 'at'>,
  currencies: readonly TradedCurrency[],
  errorCode: string,
): Temporal.PlainDate {
  const { conversion_date, conversion_date_preference } = parameters
  if (conversion_date !== undefined && conversion_date_preference !== undefined) {
    const message = 'conversion_date_preference can not be specified along side a date parameter'
    throw fieldRejected(errorCode, 'base', 'invalid_conversion_date_combination', message)
  }
  if (conversion_date === undefined) {
    return preferredDay(currencies, preferenceOf(conversion_date_preference), at)
  }
  const day = Temporal.PlainDate.from(conversion_date)
  if (!mayConvertOn(currencies, day, at)) {
    throw new ProviderApiError(400, errorCode, [
      { field: 'conversion_date', code: 'invalid_delivery_date', message: `${day} is not a valid conversion date` },
    ])
  }
  return day
}

function preferenceOf(word: string | undefined): DatePreference {
  return word === 'earliest' || word === 'next_day' || word === 'optimize_liquidity' ? word : 'default'
}
