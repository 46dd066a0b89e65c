/** Tests rates and amounts against independent arithmetic: integers, and big.js with other settings. */
import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import shipped from '../../../data/ecb-rates.json' with { type: 'json' }
import { currencyScale, formatAmount, type Money, parseMoney } from '../../platform/money.ts'
import { convertAtRates, crossRate } from './get-reference-rates.ts'
import { exactDecimal, markupOver, rateOf, withMargin, withoutMargin } from './rate-arithmetic.ts'

const RATES = { day: Temporal.PlainDate.from(shipped.day), perEuro: { ...shipped.rates, EUR: '1' } }
const CURRENCIES = Object.keys(RATES.perEuro)

const money = (amount: string, currency: string): Money => {
  const parsed = parseMoney(amount, currency)
  if (parsed === undefined) {
    throw new Error(`${amount} is no amount in ${currency}`)
  }
  return parsed
}
const worth = (amount: string, currency: string, other: string) => {
  const found = convertAtRates(RATES, money(amount, currency), other)
  return found && formatAmount(found)
}

const currency = fc.constantFrom(...CURRENCIES)
const amountIn = (name: string, max = 10n ** 14n): fc.Arbitrary<Money> =>
  fc.bigInt({ min: 1n, max }).map((minor) => ({ minor, currency: name }))
const pair = fc
  .tuple(currency, currency)
  .filter(([one, other]) => one !== other)
  .chain(([one, other]) => fc.tuple(amountIn(one), amountIn(other)))

/** A decimal as a fraction of whole numbers. */
function fraction(text: string): readonly [numerator: bigint, denominator: bigint] {
  const [whole = '', decimals = ''] = text.split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

/** Half up, of two whole numbers above zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

describe('a converted amount', () => {
  test.each([
    ['1000', 'NOK', 'USD', '104.56'],
    ['150000', 'SEK', 'NOK', '143802.54'],
    ['1000', 'DKK', 'JPY', '23834'],
    ['250.50', 'NOK', 'EUR', '23.24'],
    ['9000', 'USD', 'NOK', '86078.62'],
    ['10000', 'GBP', 'SEK', '132451.70'],
  ])('of %s %s in %s is %s', (amount, from, to, expected) => {
    expect(worth(amount, from, to)).toBe(expected)
  })

  test.each([
    ['9278.15', 'EUR', 'NOK', '99999.90'],
    ['9278.16', 'EUR', 'NOK', '100000.01'],
    ['10455.55', 'USD', 'NOK', '99999.93'],
    ['10455.56', 'USD', 'NOK', '100000.02'],
    ['13342.22', 'EUR', 'SEK', '149999.91'],
    ['13342.23', 'EUR', 'SEK', '150000.02'],
    ['2376918', 'JPY', 'SEK', '150000.00'],
    ['2376919', 'JPY', 'SEK', '150000.07'],
  ])('of %s %s at the thresholds of reporting, in %s, is %s', (amount, from, to, expected) => {
    expect(worth(amount, from, to)).toBe(expected)
  })

  test('is the nearest amount of the other currency, half up, in integer arithmetic', () => {
    fc.assert(
      fc.property(pair, ([given, { currency: other }]) => {
        const [[fromN, fromD], [toN, toD]] = [perEuro(given.currency), perEuro(other)]
        const scales = [currencyScale(given.currency) ?? 0, currencyScale(other) ?? 0]
        const numerator = given.minor * toN * fromD * 10n ** BigInt(scales[1] ?? 0)
        const denominator = toD * fromN * 10n ** BigInt(scales[0] ?? 0)
        expect(convertAtRates(RATES, given, other)?.minor).toBe(rounded(numerator, denominator))
      }),
    )
  })

  test('is undefined in a currency without a rate', () => {
    expect(convertAtRates(RATES, money('1', 'NOK'), 'AED')).toBeUndefined()
    expect(crossRate(RATES, 'AED', 'NOK')).toBeUndefined()
  })
})

describe('a rate', () => {
  test('has ten significant digits, which match the long division of the two amounts', () => {
    fc.assert(
      fc.property(pair, ([cost, bought]) => {
        const rate = rateOf(cost, bought)
        expect(rate).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/)
        const digits = rate.replace('.', '').replace(/^0+/, '')
        expect(digits.length).toBeGreaterThanOrEqual(10)
        const [numerator, denominator] = fraction(rate)
        const scales = [currencyScale(cost.currency) ?? 0, currencyScale(bought.currency) ?? 0]
        const one = cost.minor * 10n ** BigInt(scales[1] ?? 0) * denominator
        const other = bought.minor * 10n ** BigInt(scales[0] ?? 0)
        expect(numerator).toBe(rounded(one, other))
      }),
    )
  })

  test.each([
    ['9564.29', 'NOK', '1000.00', 'USD', '9.564290000'],
    ['1.00', 'NOK', '3', 'JPY', '0.3333333333'],
    ['0.01', 'NOK', '999999999999', 'VND', '0.00000000000001000000000'],
  ])('of %s %s for %s %s is %s', (cost, from, bought, to, expected) => {
    expect(rateOf(money(cost, from), money(bought, to))).toBe(expected)
  })
})

describe('a margin', () => {
  const percent = fc.integer({ min: 0, max: 99_999 }).map((tenThousandths) => (tenThousandths / 10_000).toFixed(4))

  test('is added to a price, to the nearest minor unit', () => {
    fc.assert(
      fc.property(amountIn('NOK'), percent, (price, margin) => {
        const [numerator, denominator] = fraction(margin)
        const whole = 100n * denominator
        expect(withMargin(price, margin).minor).toBe(rounded(price.minor * (whole + numerator), whole))
      }),
    )
  })

  test('is deducted from a payment so that adding it again gives the payment, plus or minus a minor unit', () => {
    fc.assert(
      fc.property(amountIn('NOK'), percent, (paid, margin) => {
        const left = withoutMargin(paid, margin)
        expect(left.minor <= paid.minor).toBe(true)
        const difference = withMargin(left, margin).minor - paid.minor
        expect(difference >= -1n && difference <= 1n).toBe(true)
      }),
    )
  })

  test('of zero changes nothing', () => {
    fc.assert(
      fc.property(amountIn('JPY'), (price) => {
        expect([withMargin(price, '0'), withoutMargin(price, '0')]).toEqual([price, price])
      }),
    )
  })
})

describe('a markup', () => {
  test('is the price above the rate, in percent, as big.js computes it with other settings', () => {
    const Other = Big()
    Other.DP = 60
    fc.assert(
      fc.property(pair, fc.constantFrom('9.5642914', '0.0003', '120'), ([cost, bought], rate) => {
        const atRate = new Other(formatAmount(bought)).times(rate)
        const expected = new Other(formatAmount(cost)).div(atRate).minus(1).times(100).round(2, Other.roundHalfUp)
        expect(new Other(markupOver(cost, bought, exactDecimal(rate))).eq(expected)).toBe(true)
      }),
    )
  })

  test.each([
    ['1005.00', '0.50'],
    ['1000.00', '0.00'],
    ['999.99', '0.00'],
    ['990.00', '-1.00'],
  ])('of %s over 1000.00 is %s', (cost, expected) => {
    expect(markupOver(money(cost, 'NOK'), money('100', 'USD'), exactDecimal('10'))).toBe(expected)
  })
})

function perEuro(currency: string): readonly [bigint, bigint] {
  return fraction(new Map(Object.entries(RATES.perEuro)).get(currency) ?? '')
}
