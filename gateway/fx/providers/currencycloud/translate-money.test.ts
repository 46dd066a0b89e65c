/** Tests parsing and formatting of amounts and rates against independent arithmetic. */
import Big from 'big.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import iso4217 from '../../../../data/currency-scale.json' with { type: 'json' }
import { formatAmount } from '../../../platform/money.ts'
import { amountText, moneyOf, perBoughtUnit } from './translate.ts'

const currencies = fc.constantFrom(...Object.entries(iso4217.currencies).map(([code, { d }]) => ({ code, scale: d })))
const EURUSD = { buyCurrency: 'USD', sellCurrency: 'EUR' }

describe('amounts', () => {
  test.each([
    ['1000.00', 'JPY', 1000n],
    ['100.0', 'EUR', 10000n],
    [100, 'GBP', 10000n],
    ['1.250', 'KWD', 1250n],
    ['1.25', 'KWD', 1250n],
    ['-9.58', 'GBP', -958n],
    ['0.00', 'NOK', 0n],
    ['007', 'NOK', 700n],
  ])('%s %s is parsed', (text, currency, minor) => {
    expect(moneyOf(text, currency)).toEqual({ minor, currency })
  })

  test.each([
    ['1000.01', 'JPY'],
    ['1.005', 'NOK'],
    ['1,00', 'NOK'],
    ['1e3', 'NOK'],
    ['', 'NOK'],
    ['NaN', 'NOK'],
    [Number.POSITIVE_INFINITY, 'NOK'],
    ['1.00', 'XXQ'],
    ['0x10', 'NOK'],
  ])('%s %s is invalid', (text, currency) => {
    expect(moneyOf(text, currency)).toBeUndefined()
  })

  test('are parsed as they were sent', () => {
    fc.assert(
      fc.property(currencies, fc.bigInt({ min: 0n, max: 10n ** 14n }), ({ code }, minor) => {
        const money = { minor, currency: code }
        expect(moneyOf(amountText(money), code)).toEqual(money)
        expect(new Big(amountText(money)).eq(formatAmount(money))).toBe(true)
      }),
    )
  })

  test('have two decimals at most where that is exact', () => {
    expect(['1000', '1001'].map((minor) => amountText({ minor: BigInt(minor), currency: 'KWD' }))).toEqual([
      '1.00',
      '1.001',
    ])
    expect(amountText({ minor: 1000n, currency: 'JPY' })).toBe('1000')
  })
})

describe('rates', () => {
  test.each([
    ['1.25', 'EURUSD', '0.8'],
    ['1.25', 'USDEUR', '1.25'],
    ['1.0146', 'EURUSD', '0.985610092647'],
    ['0.00', 'EURUSD', null],
    ['', 'EURUSD', null],
    ['1.25', 'EURGBP', null],
    ['1e5', 'EURUSD', null],
    [null, 'EURUSD', null],
    [undefined, 'EURUSD', null],
  ])('%s of %s is %s euros for a dollar', (rate, pair, expected) => {
    expect(perBoughtUnit(rate, pair, EURUSD)).toBe(expected)
  })

  test('are inverted correctly to the last of twelve digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 8 }), (digits, scale) => {
        const rate = new Big(digits).div(new Big(10).pow(scale)).toFixed()
        const inverse = new Big(perBoughtUnit(rate, 'EURUSD', EURUSD) ?? '0')
        expect(inverse.times(rate).minus(1).abs().lt('0.00000000001')).toBe(true)
      }),
    )
  })
})
