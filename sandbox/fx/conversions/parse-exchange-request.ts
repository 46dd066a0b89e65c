/** Reads which exchange a call asks for: currencies, side, amount and day, and refuses what the provider does not deal in. */
import { type DatePreference, mayConvertOn, preferredDay } from '../market/dealing-calendar.ts'
import { currencyOf, readAmount, type Traded } from '../market/market.ts'
import type { Call } from '../protocol/operation-call.ts'
import { ProviderRefusal, refused } from '../protocol/provider-api-error.ts'
import type { FixedSide } from '../tables.ts'

export type ExchangeAsked = {
  readonly buy: Traded
  readonly sell: Traded
  readonly fixedSide: FixedSide
  /** Of the fixed side. */
  readonly minor: bigint
  readonly conversionOn: Temporal.PlainDate
}

/** Reads it from parameters whose form is sound. */
export function readExchange({ parameters, at, context }: Call, errorCode: string): ExchangeAsked {
  const { fixed_side, amount = '' } = parameters
  if (context.faults.take('closed') !== undefined) {
    const code = 'currency_pair_not_available_for_weekend'
    throw refused(errorCode, code, code, 'The currency pair is not available during the weekend')
  }
  const [buy, sell] = readPair(parameters, errorCode)
  const fixedSide = fixed_side === 'sell' ? 'sell' : 'buy'
  const fixed = fixedSide === 'buy' ? buy : sell
  const minor = readAmount(amount, fixed)
  if (minor === undefined) {
    throw refused(errorCode, 'amount', 'amount_type_is_wrong', 'amount should be of numeric type')
  }
  if (minor === 'decimals') {
    const message = `${fixed.code} only supports up to ${fixed.decimals} decimal places`
    throw refused(errorCode, 'base', 'invalid_decimals', message)
  }
  if (minor === 0n) {
    throw refused(errorCode, 'amount', 'amount_is_too_small', 'amount can not be smaller than 1')
  }
  return { buy, sell, fixedSide, minor, conversionOn: readDay({ parameters, at }, [buy, sell], errorCode) }
}

function readPair(
  { buy_currency = '', sell_currency = '' }: Call['parameters'],
  errorCode: string,
): readonly [Traded, Traded] {
  const [buy, sell] = [currencyOf(buy_currency), currencyOf(sell_currency)]
  if (buy === undefined || sell === undefined || buy === sell) {
    const code = 'ccy_pair_is_not_tradeable'
    throw refused(errorCode, 'currency_pair', code, `${buy_currency}${sell_currency} is not a tradeable currency pair`)
  }
  return [buy, sell]
}

function readDay(
  { parameters, at }: Pick<Call, 'parameters' | 'at'>,
  currencies: readonly Traded[],
  errorCode: string,
): Temporal.PlainDate {
  const { conversion_date, conversion_date_preference } = parameters
  if (conversion_date !== undefined && conversion_date_preference !== undefined) {
    const message = 'conversion_date_preference can not be specified along side a date parameter'
    throw refused(errorCode, 'base', 'invalid_conversion_date_combination', message)
  }
  if (conversion_date === undefined) {
    return preferredDay(currencies, preferenceOf(conversion_date_preference), at)
  }
  const day = Temporal.PlainDate.from(conversion_date)
  if (!mayConvertOn(currencies, day, at)) {
    throw new ProviderRefusal(400, errorCode, [
      { field: 'conversion_date', code: 'invalid_delivery_date', message: `${day} is not a valid conversion date` },
    ])
  }
  return day
}

function preferenceOf(word: string | undefined): DatePreference {
  return word === 'earliest' || word === 'next_day' || word === 'optimize_liquidity' ? word : 'default'
}
