/** Tests that separators between digits do not change the result, in every country. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAccountNumber } from './account-number.ts'
import { checkIban } from './iban.ts'
import { checkReference } from './structured-reference.ts'

const SEPARATORS = [
  ' ',
  '\u00a0',
  '\u2009',
  '\u202f',
  '\u3000',
  '\t',
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '-',
  '\u2010',
  '\u2011',
  '–',
  '—',
  '−',
  '.',
  ',',
  '/',
]
const SPACES = SEPARATORS.slice(0, 9)

/** Numbers that no separator turns into another one; of a Danish one, the registration number stays complete. */
const accounts = [
  ['NO', '', '86011117947'],
  ['SE', '', '54391024039'],
  ['SE', '', '6000806967498'],
  ['DK', '0040', '0440116243'],
  ['FI', '', '12345600000785'],
  ['FI', 'FI', '2112345600000785'],
] as const

const references = [
  ['NO', '1234567897'],
  ['SE', '1230'],
  ['FI', '1232'],
  ['FI', 'RF18539007547034'],
] as const

/** The digits with separators between some of them. */
const separated = (digits: string, separators: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constant(''), fc.constantFrom(...separators)), { minLength: digits.length - 1 })
    .map((between) => [...digits].map((digit, index) => `${index === 0 ? '' : between[index - 1]}${digit}`).join(''))

describe('separators', () => {
  test.each(accounts)(
    'between the digits of an account number in %s change nothing: %s%s',
    (country, start, digits) => {
      const plain = checkAccountNumber(country, start + digits)
      expect(plain.ok).toBe(true)
      fc.assert(
        fc.property(separated(digits, SEPARATORS), (text) => {
          expect(checkAccountNumber(country, start + text)).toEqual(plain)
        }),
        { numRuns: 2_000 },
      )
    },
  )

  test('between the characters of an IBAN change nothing', () => {
    fc.assert(
      fc.property(separated('NO9386011117947', SEPARATORS), (text) => {
        expect(checkIban(text)).toEqual({ ok: true, iban: 'NO9386011117947' })
      }),
    )
  })

  test.each(references)('that are spaces change nothing in a reference of %s: %s', (country, reference) => {
    const plain = checkReference(country, reference)
    expect(plain.ok).toBe(true)
    fc.assert(
      fc.property(separated(reference, SPACES), (text) => {
        expect(checkReference(country, text)).toEqual(plain)
      }),
    )
  })

  test('that are spaces change nothing in the parts of a payment form', () => {
    const parts = { type: 'fik', cardType: '71', paymentId: '000100017156728', creditorNumber: '81234567' } as const
    const printed = { ...parts, paymentId: '0001 0001 7156\u00a0728', creditorNumber: '8123 4567' }
    expect(checkReference('DK', printed)).toEqual(checkReference('DK', parts))
    expect(checkReference('DK', printed).ok).toBe(true)
  })

  test.each([
    ['NO', '8601-11-17947', '86011117947'],
    ['NO', '8601–11–17947', '86011117947'],
    ['NO', '8601\u00a011\u00a017947', '86011117947'],
    ['SE', '5402–9681', '5402-9681'],
    ['SE', '90\u00a020\u00a003–3', '902003-3'],
    ['SE', 'BG\u00a05402\u20119681', '5402-9681'],
    ['SE', '8327–9\u00a033395390–9', '832790333953909'],
    ['FI', '123456–785', '12345600000785'],
    ['DK', '0040–440\u00a0116\u00a0243', '00400440116243'],
  ])('in common notations are parsed in %s: %s', (country, text, bban) => {
    expect(checkAccountNumber(country, text)).toEqual({ ok: true, bban })
  })
})

describe('only zeros', () => {
  test.each([
    ['NO', '00000000000'],
    ['SE', '54390000000'],
    ['SE', '90010000000'],
    ['SE', '8327-9 0000000000'],
    ['SE', '0000-0000'],
    ['DK', '00400000000000'],
    ['DK', '00000000000000'],
    ['FI', '00000000000000'],
  ])('are no account of %s: %s', (country, text) => {
    expect(checkAccountNumber(country, text).ok).toBe(false)
  })

  test.each(['SE3550000000000000000000', 'DE36000000000000000000', 'DK1900000000000000'])('are no IBAN: %s', (text) => {
    expect(checkIban(text).ok).toBe(false)
  })

  test.each([
    ['NO', '0000'],
    ['NO', '0000000000'],
    ['SE', '0000'],
    ['FI', '0000'],
    ['FI', 'RF9700'],
    ['FI', 'RF05000000'],
  ])('are no reference of %s: %s', (country, text) => {
    expect(checkReference(country, text).ok).toBe(false)
  })

  test.each([
    ['01', undefined, '00000000'],
    ['73', undefined, '00000000'],
    ['71', '000000000000000', '81234567'],
  ])('are no payment form: card type %s', (cardType, paymentId, creditorNumber) => {
    const id = paymentId === undefined ? {} : { paymentId }
    expect(checkReference('DK', { type: 'fik', cardType, creditorNumber, ...id }).ok).toBe(false)
  })
})
