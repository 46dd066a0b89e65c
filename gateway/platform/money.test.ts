/** Tests money: exact in both directions, with the decimals of the currency in ISO 4217. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import iso4217 from '../../data/currency-scale.json' with { type: 'json' }
import { currencyScale, formatAmount, formatMoney, groupDigits, parseMoney } from './money.ts'

const LARGEST_WHOLE = 999_999_999_999n
const currency = fc.constantFrom(...Object.keys(iso4217.currencies))
const money = currency.chain((code) => {
  const max = (LARGEST_WHOLE + 1n) * 10n ** BigInt(currencyScale(code) ?? 0) - 1n
  return fc.bigInt({ min: 0n, max }).map((minor) => ({ minor, currency: code }))
})

describe('a formatted amount', () => {
  it('is parsed as the same amount, in any currency', () => {
    fc.assert(
      fc.property(money, (one) => {
        expect(parseMoney(formatAmount(one), one.currency)).toEqual(one)
      }),
    )
  })

  it('has exactly as many decimals as the currency', () => {
    fc.assert(
      fc.property(money, (one) => {
        const [, decimals = ''] = formatAmount(one).split('.')
        expect(decimals).toHaveLength(currencyScale(one.currency) ?? -1)
      }),
    )
  })

  it('of a negative amount is that of the positive one with a sign', () => {
    const positive = money.filter(({ minor }) => minor > 0n)
    fc.assert(
      fc.property(positive, (one) => {
        expect(formatAmount({ ...one, minor: -one.minor })).toBe(`-${formatAmount(one)}`)
      }),
    )
  })

  it('sorts like the amounts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.bigInt({ min: 0n, max: 10n ** 14n }), (one, other) => {
        const [left, right] = [one, other].map((minor) => Number(formatAmount({ minor, currency: 'NOK' })))
        expect(Math.sign((left ?? 0) - (right ?? 0))).toBe(Math.sign(Number(one - other)))
      }),
    )
  })

  it('is rejected for a currency that does not exist', () => {
    expect(() => formatMoney({ minor: 1n, currency: 'XYZ' })).toThrow('Unknown currency XYZ')
  })
})

describe('a parsed amount', () => {
  it('means the same with and without its final zeros', () => {
    fc.assert(
      fc.property(money, (one) => {
        const shorter = formatAmount(one).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))
        expect(parseMoney(shorter, one.currency)).toEqual(one)
      }),
    )
  })

  it.each([
    ['NOK', '1250.00', 125_000n],
    ['NOK', '1250', 125_000n],
    ['JPY', '1250', 1250n],
    ['HUF', '0.05', 5n],
    ['KWD', '1.005', 1005n],
    ['NOK', '999999999999.99', 99_999_999_999_999n],
  ])('is %s %s in minor units', (code, text, minor) => {
    expect(parseMoney(text, code)).toEqual({ minor, currency: code })
  })

  it.each(['', '-1', '+1', '1.', '.5', '01.00', '1e3', '1 000', '1,00', '1.234', '٣', '0x10', '1000000000000', 'NaN'])(
    'is rejected when it is %j in NOK',
    (text) => {
      expect(parseMoney(text, 'NOK')).toBeUndefined()
    },
  )

  it('is rejected with more decimals than the currency has, even zeros', () => {
    expect(parseMoney('1.0', 'JPY')).toBeUndefined()
    expect(parseMoney('1.000', 'NOK')).toBeUndefined()
  })

  it('is rejected in a currency that does not exist, is in lower case, or is a property name of JavaScript', () => {
    expect(['XYZ', 'nok', 'constructor', ''].map((code) => parseMoney('1', code))).toEqual(Array(4).fill(undefined))
  })
})

test.each([
  ['0', '0'],
  ['123', '123'],
  ['-123', '-123'],
  ['1234', '1 234'],
  ['-1234567', '-1 234 567'],
  ['\u2212123456', '\u2212123 456'],
  ['', ''],
])('the digits of %j are grouped as %j', (whole, grouped) => {
  expect(groupDigits(whole, ' ')).toBe(grouped)
})
