/** Tests prices by independent arithmetic: a margin of half a percent on either side, for every pair and amount. */
import Big from 'big.js'
import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import {
  currenciesTraded,
  currencyOf,
  formatAmount,
  pairOf,
  parseAmount,
  RATE_DECIMALS,
  requireCurrency,
  type TradedCurrency,
} from './market.ts'
import { priceOf } from './price.ts'

const currency = constantFrom(...currenciesTraded)
const cents = integer({ min: 1_00, max: 1_000_000_00 })

/** The value of so much of a currency in euros. */
const inEuros = (minor: bigint, { decimals, perEuro }: TradedCurrency) =>
  new Big(minor.toString()).div(new Big(10).pow(decimals)).div(perEuro)

test('cost half a percent more than the mid-market rate, whichever side is fixed', () => {
  assert(
    property(currency, currency, constantFrom('buy' as const, 'sell' as const), cents, (buy, sell, fixedSide, some) => {
      if (buy === sell) {
        return
      }
      const price = priceOf({ buy, sell, fixedSide, minor: BigInt(some) })
      const [bought, sold] = [inEuros(price.buy_minor, buy), inEuros(price.sell_minor, sell)]
      // Half a unit of the amount that was computed; half a unit of the rate's last digit, rounded twice.
      const computed = fixedSide === 'buy' ? sell : buy
      const halfUnit = new Big(10).pow(-computed.decimals).div(computed.perEuro).div(2)
      const lastDigit = new Big(10).pow(-RATE_DECIMALS).div(price.mid_rate)
      const slack = halfUnit.plus(bought.times(lastDigit)).times('1.01')
      expect(sold.minus(bought.times('1.005')).abs().lte(slack), `${sold} for ${bought}`).toBe(true)
      expect(fixedSide === 'buy' ? price.buy_minor : price.sell_minor).toBe(BigInt(some))
    }),
    { examples: [[requireCurrency('KWD'), requireCurrency('CAD'), 'buy', 114_769_91]] },
  )
})

test.each([
  ['NOK', 'USD', '0.10455558'],
  ['DKK', 'JPY', '23.83373246'],
  ['GBP', 'SEK', '13.24516965'],
  ['USD', 'NOK', '9.56429142'],
])('are for the cross rate of %s and %s from the central bank’s figures', (from, to, rate) => {
  const [sell, buy] = [currencyOf(from), currencyOf(to)]
  if (sell === undefined || buy === undefined) {
    throw new Error('The currency is not traded')
  }
  const { mid_rate: midRate } = priceOf({ buy, sell, fixedSide: 'sell', minor: 100_00n })
  const perSold = pairOf(buy, sell)[0] === sell ? new Big(midRate) : new Big(1).div(midRate)
  expect(perSold.round(8).minus(rate).abs().lte('0.00000002')).toBe(true)
})

test('amounts are parsed as they are printed', () => {
  assert(
    property(currency, integer({ min: 0, max: 1_000_000_000 }), (one, minor) => {
      expect(parseAmount(formatAmount(BigInt(minor), one.code), one)).toBe(BigInt(minor))
    }),
  )
})
