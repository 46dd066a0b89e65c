/** Tests Finnish account numbers, references and business ids with published vectors. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { randomCases } from '../../../setup/random-cases.ts'
import { areAtSameBank, bankOf, bbanOf, checkAccountNumber, ibanOf } from '../account-number.ts'
import { checkIban } from '../iban.ts'
import { checkOrganisationNumber, checkReference } from '../served-countries.ts'

const { fiBban, viite, rf, rfMake, ytunnus } = vectors.suites

describe('account numbers', () => {
  test.each(fiBban)('validates $input as valid: $valid', ({ input, valid, iban }) => {
    expect(checkAccountNumber('FI', input).ok).toBe(valid)
    expect(ibanOf('FI', input)).toBe(iban)
  })

  test.each([
    ['FI21 1234 5600 0007 85', '12345600000785'],
    ['12345600000785', '12345600000785'],
    ['123456-785', '12345600000785'],
    ['423456-781', '42345670000081'],
    ['623456-786', '62345670000086'],
  ])('parses %s as %s', (text, bban) => {
    expect(checkAccountNumber('FI', text)).toMatchObject({ ok: true, bban })
  })

  test.each([
    ['12345600000786', 'has a wrong check digit (modulus 10); if it is that of an IBAN, send the IBAN'],
    ['FI2212345600000785', 'is not a Finnish IBAN: FI and 16 digits that pass modulus 97'],
    ['1234560000078', 'has 13 digits; without FI a Finnish one has 14'],
    ['1234-560000785', 'must be an IBAN, 14 digits, or written as 123456-785'],
    ['', 'must be an IBAN, 14 digits, or written as 123456-785'],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(checkAccountNumber('FI', text)).toEqual({ ok: false, reason })
  })

  test.each([
    ['FI85 7981 2345 6789 00', 'FI8579812345678900'],
    ['fi9112345600000786', 'FI9112345600000786'],
  ])('accepts the IBAN %s, whose inner check digit is wrong, with a warning, and keeps the IBAN', (text, iban) => {
    const accepted = { ok: true, warning: expect.stringContaining('inner check digit') }
    expect(checkAccountNumber('FI', text)).toEqual({ ...accepted, bban: iban })
    expect(checkAccountNumber('FI', iban)).toEqual({ ...accepted, bban: iban })
    expect(bbanOf(text)).toEqual({ ...accepted, bban: iban })
    expect(checkIban(text)).toEqual({ ...accepted, iban })
    expect(ibanOf('FI', text)).toBe(iban)
    expect(checkAccountNumber('FI', iban.slice(4)).ok).toBe(false)
    expect(checkAccountNumber('SE', text).ok).toBe(false)
  })

  test('finds the bank of such an IBAN, too', () => {
    expect(bankOf('FI', 'FI9112345600000786')?.bic).toBe('NDEAFIHH')
    expect(areAtSameBank('FI', 'FI9112345600000786', '10093000123458')).toBe(true)
    expect(areAtSameBank('FI', 'FI9112345600000786', '40550002000012')).toBe(false)
  })

  test('finds the bank by three digits, and only warns about digits that the table does not contain', () => {
    expect(bankOf('FI', '10093000123458')?.bic).toBe('NDEAFIHH')
    const unknown = [...'0123456789']
      .map((check) => checkAccountNumber('FI', `3101230000004${check}`))
      .filter(({ ok }) => ok)
    expect(unknown).toMatchObject([{ ok: true, warning: expect.stringContaining('310') }])
  })

  test('parses every valid number back from its IBAN', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{14}$/), (bban) => {
        const iban = ibanOf('FI', bban)
        expect(iban === undefined ? undefined : bbanOf(iban)).toEqual(
          iban === undefined ? undefined : checkAccountNumber('FI', bban),
        )
      }),
      { numRuns: randomCases(1_000) },
    )
  })
})

describe('references', () => {
  test.each([...viite, ...rf])('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkReference('FI', input).ok).toBe(valid)
  })

  test.each([
    ['00000000000001234561', '1234561', 'Weights731'],
    ['1 23456 71234 56784', '1234567123456784', 'Weights731'],
    ['0013', '0013', 'Weights731'],
    ['rf18 5390 0754 7034', 'RF18539007547034', 'Modulus97'],
  ])('normalises %s to %s', (text, reference, checkMethod) => {
    expect(checkReference('FI', text)).toEqual({ ok: true, reference, checkMethod })
  })

  test.each(rfMake)('accepts for $base only the check digits of $result', ({ base, result }) => {
    const made = Array.from({ length: 100 }, (_, check) => `RF${String(check).padStart(2, '0')}${base}`)
    expect(made.filter((reference) => checkReference('FI', reference).ok)).toEqual([result])
  })

  test('rejects zeros, and references of other countries', () => {
    expect(checkReference('FI', '0000').ok).toBe(false)
    expect(checkReference('FI', { type: 'fik', value: '+73<+81234567<' }).ok).toBe(false)
  })
})

describe('business ids', () => {
  test.each(ytunnus)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkOrganisationNumber('FI', input).ok).toBe(valid)
  })

  test.each(['2077474-0', '20774740', 'FI20774740', 'FI 2077474-0'])('normalises %s with its hyphen', (text) => {
    expect(checkOrganisationNumber('FI', text)).toEqual({ ok: true, organisationNumber: '2077474-0' })
  })
})
