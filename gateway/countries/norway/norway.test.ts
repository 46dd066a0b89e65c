/** Tests Norwegian numbers with published vectors and the properties of their check digits. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { bankOf, bbanOf, checkAccountNumber, ibanOf } from '../account-number.ts'
import { checkOrganisationNumber, checkReference } from '../served-countries.ts'
import { kidChecks } from './norway.ts'

const { noAccount, noIban, orgnrNO, kid, iban } = vectors.suites
const elevenDigits = fc.stringMatching(/^[0-9]{11}$/)

describe('account numbers', () => {
  test.each(noAccount)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkAccountNumber('NO', input).ok).toBe(valid)
  })

  test('removes the usual separators', () => {
    expect(checkAccountNumber('NO', '8601 11 17947')).toEqual({ ok: true, bban: '86011117947' })
    expect(checkAccountNumber('NO', '8601.11.17947')).toEqual({ ok: true, bban: '86011117947' })
  })

  test.each([
    ['8601111794X', 'contains characters other than digits'],
    ['٨٦٠١١١١٧٩٤٧', 'contains characters other than digits'],
    ['1234567890', 'has 10 digits; a Norwegian one has 11'],
    ['00000000000', 'begins with 0000, which is not a bank'],
    ['86011117949', 'has a wrong check digit (modulus 11)'],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(checkAccountNumber('NO', text)).toEqual({ ok: false, reason })
  })

  test('warns about a number that is reserved for a bank itself', () => {
    expect(checkAccountNumber('NO', '49310005958')).toMatchObject({ ok: true, warning: expect.any(String) })
    expect(checkAccountNumber('NO', '86011117947')).not.toHaveProperty('warning')
  })

  test('finds the bank', () => {
    expect(bankOf('NO', '5503 53 95554')).toEqual({ bic: 'DNBANOKK', name: 'DNB Bank ASA' })
    expect(bankOf('NO', '32074068323')?.bic).toBe('SPRONO22')
  })

  test('accepts at most one check digit for any ten digits, and none where modulus 11 leaves 10', () => {
    const tenDigits = fc.stringMatching(/^[1-9][0-9]{9}$/)
    fc.assert(
      fc.property(tenDigits, (digits) => {
        const sound = [...'0123456789'].filter((check) => checkAccountNumber('NO', digits + check).ok)
        expect(sound.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('detects every single wrong digit and every swap of two neighbours', () => {
    const changed = fc.tuple(fc.constantFrom(...noAccount.filter(({ valid }) => valid)), fc.nat(9), fc.nat(9))
    fc.assert(
      fc.property(changed, ([{ input }, index, digit]) => {
        const digits = input.replace(/[ .]/g, '')
        const wrong = digits.slice(0, index) + String(digit) + digits.slice(index + 1)
        const swapped = `${digits.slice(0, index)}${digits.at(index + 1)}${digits.at(index)}${digits.slice(index + 2)}`
        for (const mistake of [wrong, swapped].filter((text) => text !== digits)) {
          expect(checkAccountNumber('NO', mistake).ok).toBe(false)
        }
      }),
    )
  })

  test('rejects numbers of unsupported countries', () => {
    expect(checkAccountNumber('XX', '86011117947').ok).toBe(false)
    expect(checkAccountNumber('constructor', '86011117947').ok).toBe(false)
  })
})

describe('IBANs', () => {
  test.each(noIban)('makes $iban from $input and parses it back', ({ input, iban }) => {
    expect(ibanOf('NO', input)).toBe(iban)
    expect(bbanOf(iban)).toEqual(checkAccountNumber('NO', input))
  })

  test.each(iban.filter(({ input }) => input.startsWith('NO')))(
    'validates $input as valid: $valid',
    ({ input, valid }) => {
      expect(bbanOf(input).ok).toBe(valid)
    },
  )

  test('rejects an IBAN that is invalid by the national check only', () => {
    expect(bbanOf('NO3986011117949')).toEqual({ ok: false, reason: 'has a wrong check digit (modulus 11)' })
  })

  test('makes an IBAN from every valid number, and parses the same number back', () => {
    fc.assert(
      fc.property(elevenDigits, (digits) => {
        const made = ibanOf('NO', digits)
        expect(made === undefined ? undefined : bbanOf(made)).toEqual(
          made === undefined ? undefined : checkAccountNumber('NO', digits),
        )
      }),
    )
  })
})

describe('organisation numbers', () => {
  test.each(orgnrNO)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkOrganisationNumber('NO', input).ok).toBe(valid)
  })

  test('accepts the format of the VAT register', () => {
    expect(checkOrganisationNumber('NO', 'NO 923 609 016 MVA')).toEqual({ ok: true, organisationNumber: '923609016' })
  })
})

describe('KID', () => {
  test.each(kid)('validates $input by modulus $mods as valid: $valid', ({ input, mods, valid }) => {
    const checks = kidChecks(input)
    const sound = checkReference('NO', input).ok
    expect(sound && mods.some((mod) => (mod === '10' ? checks.modulus10 : checks.modulus11))).toBe(valid)
  })

  test('reports the check that it passed, and warns about a KID shorter than most banks accept', () => {
    expect(checkReference('NO', '2345676')).toEqual({ ok: true, reference: '2345676', checkMethod: 'Modulus10' })
    expect(checkReference('NO', '1000005-')).toMatchObject({ checkMethod: 'Modulus11' })
    expect(checkReference('NO', '18')).toMatchObject({ ok: true, warning: expect.any(String) })
  })

  test('accepts 2 to 25 characters', () => {
    expect(checkReference('NO', '18').ok).toBe(true)
    expect(checkReference('NO', '18'.padStart(25, '0')).ok).toBe(true)
    expect(checkReference('NO', '18'.padStart(26, '0')).ok).toBe(false)
    expect(checkReference('NO', '0').ok).toBe(false)
  })

  test('computes for every reference a modulus 11 character, a hyphen where no digit is possible', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,24}$/), (digits) => {
        const fitting = [...'0123456789-'].filter((check) => kidChecks(digits + check).modulus11)
        expect(fitting).toHaveLength(1)
      }),
    )
  })
})
