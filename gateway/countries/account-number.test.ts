/** Shows what is said of an IBAN that stands where a domestic account number belongs. */
import { describe, expect, test } from 'vitest'
import { checkAccountNumber } from './account-number.ts'

describe('an IBAN in place of an account number', () => {
  test.each([
    ['NO', 'NO93 8601 1117 947', 'is an IBAN; write the account number in it, 86011117947'],
    ['DK', 'dk50 0040 0440 1162 43', 'is an IBAN; write the account number in it, 00400440116243'],
    ['NO', 'DK5000400440116243', 'is an IBAN of DK; a domestic payment takes an account number of NO'],
    ['SE', 'FI2112345600000785', 'is an IBAN of FI; a domestic payment takes an account number of SE'],
    ['FI', 'NO9386011117947', 'is an IBAN of NO; a domestic payment takes an account number of FI'],
  ])('in %s, %s: it %s', (country, text, reason) => {
    expect(checkAccountNumber(country, text)).toEqual({ ok: false, reason })
  })

  test.each([
    ['NO', 'NO9486011117947'],
    ['NO', 'XX9386011117947'],
  ])('in %s, %s is none, and is not called one', (country, text) => {
    expect(checkAccountNumber(country, text)).toEqual({ ok: false, reason: 'holds something other than digits' })
  })

  test('is taken in Finland, whose own it is', () => {
    expect(checkAccountNumber('FI', 'FI21 1234 5600 0007 85')).toEqual({ ok: true, bban: '12345600000785' })
  })
})
