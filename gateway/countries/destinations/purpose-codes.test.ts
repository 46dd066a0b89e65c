/** Tests purpose codes against the lists of their countries. */
import { describe, expect, test } from 'vitest'
import { checkPurposeCode, PURPOSE_LISTS, purposeList } from './purpose-codes.ts'

const check = (list: string, text: string) => checkPurposeCode(text, purposeList(list))

describe('purpose codes', () => {
  test.each(PURPOSE_LISTS)('of the list %s: each one is accepted, in lower case and between slashes too', (name) => {
    const { codes, example } = purposeList(name)
    for (const code of [example, ...codes.map((listed) => listed.code)]) {
      expect(check(name, code)).toEqual({ ok: true, purpose: code })
      expect(check(name, ` /${code.toLowerCase()}/ `)).toEqual({ ok: true, purpose: code })
    }
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length)
  })

  test.each([
    ['AE', 'ZZZ'],
    ['AE', 'GDS'],
    ['BH', 'ACM'],
    ['CN', 'GDE'],
    ['CURRENCYCLOUD', 'SUPP'],
    ['JO', '801'],
    ['KZ', '71'],
    ['ZA', '1/01'],
    ['GENERAL', 'A'],
    ['GENERAL', 'A B'],
    ['AE', ''],
    ['AE', 'constructor'],
  ])('of the list %s: %j is invalid', (name, text) => {
    expect(check(name, text)).toMatchObject({ ok: false, reason: expect.stringContaining('is not a purpose code') })
  })

  test.each([
    ['GENERAL', 'zzzz', 'ZZZZ'],
    ['HK', 'GOODS', 'GOODS'],
  ])('of the list %s: %s may be one that is not listed', (name, text, purpose) => {
    expect(check(name, text)).toMatchObject({
      ok: true,
      purpose,
      warning: expect.stringContaining('is not in our list'),
    })
  })

  test.each([
    ['JO', '0801'],
    ['KZ', '710'],
    ['RS', '221'],
    ['ZA', '101/01'],
    ['ZA', 'GDDS'],
  ])('of the list %s: %s has its format', (name, text) => {
    expect(check(name, text)).toEqual({ ok: true, purpose: text })
  })
})
