/** Tests clearing codes of other countries with published vectors. */
import { describe, expect, test } from 'vitest'
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { checkClearingCode, isClearingCodeType } from './clearing-codes.ts'

const check = (type: string, text: string) => {
  if (!isClearingCodeType(type)) {
    throw new Error(`There is no clearing code ${type}`)
  }
  return checkClearingCode(type, text)
}

describe('clearing codes', () => {
  test.each(vectors.suites.clearing)('validates $type $input as valid: $valid', ({ type, input, valid }) => {
    expect(check(type, input).ok).toBe(valid)
  })

  test.each([
    ['GBDSC', '20-06-05', '200605'],
    ['AUBSB', '062-000', '062000'],
    ['CACPA', '10001-004', '000410001'],
  ])('normalises %s %s to %s', (type, text, clearingCode) => {
    expect(check(type, text)).toEqual({ ok: true, clearingCode })
    expect(check(type, clearingCode)).toEqual({ ok: true, clearingCode })
  })

  test('describes the format of such a code', () => {
    expect(check('GBDSC', '2006')).toEqual({
      ok: false,
      reason: 'is not a clearing code GBDSC: six digits, as in 20-06-05',
    })
    expect([isClearingCodeType('toString'), isClearingCodeType('XXXXX')]).toEqual([false, false])
  })
})
