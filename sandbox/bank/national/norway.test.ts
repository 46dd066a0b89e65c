/** Tests the validation of Norwegian account numbers and KIDs. */
import { describe, expect, test } from 'vitest'
import { isNorwegianAccountNumber, isNorwegianKid, norway } from './norway.ts'
import { accountNumberOf } from './rules-by-country.ts'

const bank = { country: 'NO' } as const

describe('account numbers', () => {
  test.each(['86011117947', '12345678903', '32074068323', '55035395554', '49310005958', '60421439640'])(
    '%s passes modulus 11',
    (bban) => expect(isNorwegianAccountNumber(bban)).toBe(true),
  )
  test.each(['86011117949', '99990000005', '00000000000', '1234567890', '123456789012', '8601111794X'])(
    '%s does not',
    (bban) => expect(isNorwegianAccountNumber(bban)).toBe(false),
  )
  test('are found in an IBAN with valid check digits', () => {
    expect(norway.ibanOf('86011117947')).toBe('NO9386011117947')
    expect(accountNumberOf(bank, { iban: 'NO9386011117947' })).toBe('86011117947')
    expect(accountNumberOf(bank, { iban: 'NO9286011117947' })).toBeUndefined()
    expect(accountNumberOf(bank, { iban: 'SE9386011117947' })).toBeUndefined()
    expect(accountNumberOf(bank, {})).toBeUndefined()
  })
})

describe('KIDs', () => {
  test.each(['2345676', '01290865', '602243', '12345678903', '1000005-'])('%s is valid', (kid) =>
    expect(isNorwegianKid(kid)).toBe(true),
  )
  test.each(['2345674', '100030', '12-34', '12A4', '1', '', '0'.repeat(26)])('"%s" is invalid', (kid) =>
    expect(isNorwegianKid(kid)).toBe(false),
  )
})
