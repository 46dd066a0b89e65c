/** Tests parsing and formatting of amounts against independent arithmetic. */
import Big from 'big.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import iso4217 from '../../../../data/currency-scale.json' with { type: 'json' }
import { formatAmount } from '../../../platform/money.ts'
import { amountText, moneyOf } from './translate.ts'

const currencies = fc.constantFrom(...Object.entries(iso4217.currencies).map(([code, { d }]) => ({ code, scale: d })))

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
