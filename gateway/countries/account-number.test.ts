/** Tests the errors for an IBAN in place of a domestic account number. */
import { describe, expect, test } from 'vitest'
import { checkAccountNumber } from './account-number.ts'

describe('an IBAN in place of an account number', () => {
  test.each([
    ['NO', 'NO93 8601 1117 947', 'is an IBAN; send its account number, 86011117947'],
    ['DK', 'dk50 0040 0440 1162 43', 'is an IBAN; send its account number, 00400440116243'],
    ['NO', 'DK5000400440116243', 'is an IBAN of DK; a domestic payment requires an account number of NO'],
    ['SE', 'FI2112345600000785', 'is an IBAN of FI; a domestic payment requires an account number of SE'],
    ['FI', 'NO9386011117947', 'is an IBAN of NO; a domestic payment requires an account number of FI'],
  ])('in %s, %s: it %s', (country, text, reason) => {
    expect(checkAccountNumber(country, text)).toEqual({ ok: false, reason })
  })

  test.each([
    ['NO', 'NO9486011117947'],
    ['NO', 'XX9386011117947'],
  ])('in %s, %s is invalid, and is not reported as an IBAN', (country, text) => {
    expect(checkAccountNumber(country, text)).toEqual({ ok: false, reason: 'contains characters other than digits' })
  })

  test('is accepted in Finland, where account numbers are IBANs', () => {
    expect(checkAccountNumber('FI', 'FI21 1234 5600 0007 85')).toEqual({ ok: true, bban: '12345600000785' })
  })
})
