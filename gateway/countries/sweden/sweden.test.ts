/** Tests Swedish account numbers and references with published vectors and by their properties. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { randomCases } from '../../../setup/random-cases.ts'
import { bankOf, bbanOf, checkAccountNumber, ibanOf } from '../account-number.ts'
import { checkIban } from '../iban.ts'
import { checkOrganisationNumber, checkReference } from '../served-countries.ts'
import { clearingRanges, giroKind } from './clearing-numbers.ts'

const { seAccount, bankgiro, plusgiro, orgnrSE, ocrSe, ocrSeMake } = vectors.suites
const check = (text: string) => checkAccountNumber('SE', text)
const bbanOfSound = (text: string) => {
  const checked = check(text)
  return checked.ok ? checked.bban : undefined
}
const isClean = (text: string) => {
  const checked = check(text)
  return checked.ok && checked.warning === undefined
}

describe('clearing and account numbers', () => {
  test.each(seAccount)('validates $input as valid without a warning: $valid', ({ input, valid = false }) => {
    expect(isClean(input)).toBe(valid)
  })

  test.each(seAccount.filter(({ valid }) => valid))('finds the bank and the IBAN of $input', ({ input, bic, iban }) => {
    expect(bankOf('SE', input)?.bic).toBe(bic)
    expect(ibanOf('SE', input)).toBe(iban)
  })

  test('only warns where genuine numbers fail the check', () => {
    expect(check('8201-6 914357963-1')).toEqual({
      ok: true,
      bban: '820169143579631',
      warning:
        'has a wrong check digit for Swedbank / savings banks (clearing number 82016), as some old accounts of the bank have',
    })
    expect(check('9960-3401258277')).toMatchObject({ ok: true, bban: '99603401258277' })
  })

  test.each([
    ['1001-1234567', 'begins with 1001, which is not the clearing number of a Swedish bank'],
    ['5439-102403', 'has 6 digits after the clearing number 5439; SEB has 7'],
    [
      '543910240',
      'has 9 digits: too many for a giro number, or hyphens in other places, and too few for clearing and account number',
    ],
    ['5439-1024038', 'has a wrong check digit for SEB (clearing number 5439)'],
    ['5439-10240391', 'has 8 digits after the clearing number 5439; SEB has 7'],
    ['8327-1 33395390-9', 'has a wrong clearing number: 8327 ends in the check digit 9'],
    ['8009286249', 'lacks its clearing number; if it is a personal account at Nordea, write 3300 before it'],
    [
      'SE8530000000008009286249',
      'is an IBAN; a domestic payment requires clearing and account number, Bankgiro or Plusgiro',
    ],
    ['5439-0000000', 'has only zeros after the clearing number 5439'],
    ['00000000', 'is not a Bankgiro number: its check digit is wrong (modulus 10)'],
    ['abc', 'contains characters other than digits'],
    ['', 'contains characters other than digits'],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(check(text)).toEqual({ ok: false, reason })
  })

  test('parses a Swedbank number the same with and without its fifth clearing digit', () => {
    const written = ['8327-9 33395390-9', '8327-9333953909', '8327333953909', '83279333953909', '8327 0333953909']
    expect(new Set(written.map((text) => bbanOfSound(text)))).toEqual(new Set(['832790333953909']))
    expect(['8327-9 33395390-9', '8327333953909', '832790333953909'].filter((text) => !isClean(text))).toEqual([])
  })

  test('parses a marked fifth clearing digit as such, and an unmarked one by the check digit of the account', () => {
    const warning = expect.stringContaining('wrong check digit')
    expect(check('8327-9 123456783')).toEqual({ ok: true, bban: '832790123456783', warning })
    expect(check('8327 9123456783')).toMatchObject({ ok: true, bban: '832799123456783' })
  })

  test.each([
    ['8327-9600327860', '832790600327860', '832799600327860'],
    ['8327 9123456783', '832799123456783', '832790123456783'],
    ['83279123456784', '832790123456784', '832799123456784'],
  ])('warns about %s, which may be either of two accounts, and names both', (text, taken, other) => {
    const warning = expect.stringContaining(`may be ${taken} or ${other}, and is treated as the first`)
    expect(check(text)).toEqual({ ok: true, bban: taken, warning })
    expect(check(taken)).not.toMatchObject({ warning: expect.stringContaining('may be') })
  })

  test.each(['9001-1234567', '2500-1234567', '9605 1234567890'])(
    'only warns about %s, of a bank that is newer than the table',
    (text) => {
      const bban = text.replace(/[ -]/, '')
      const warning = `begins with ${bban.slice(0, 4)}, which is not in our table of Swedish banks`
      expect(check(text)).toEqual({ ok: true, bban, warning })
      expect(check(bban)).toEqual({ ok: true, bban, warning })
      expect([ibanOf('SE', text), bankOf('SE', text)]).toEqual([undefined, undefined])
    },
  )

  test.each([
    ['9999-1234567', 'begins with 9999, which is not the clearing number of a Swedish bank'],
    ['9001-12345678901', 'has 11 digits after the clearing number 9001; banks have 7 to 10'],
    ['9001-0000000', 'has only zeros after the clearing number 9001'],
  ])('rejects %s all the same', (text, reason) => {
    expect(check(text)).toEqual({ ok: false, reason })
  })

  test('pads a number of Handelsbanken to nine digits', () => {
    expect(check('6000-806967498')).toEqual({ ok: true, bban: '6000806967498' })
    const short = [...'0123456789'].map((digit) => check(`6000-1234567${digit}`)).filter(({ ok }) => ok)
    expect(short).toEqual([{ ok: true, bban: expect.stringMatching(/^600001234567[0-9]$/) }])
  })
})

describe('Bankgiro and Plusgiro', () => {
  test.each(bankgiro)('validates Bankgiro $input as valid: $valid', ({ input, valid }) => {
    expect(check(`BG ${input}`).ok).toBe(valid)
  })

  test.each(plusgiro)('validates Plusgiro $input as valid: $valid', ({ input, valid }) => {
    expect(check(`PG ${input}`).ok).toBe(valid)
    expect(check(input).ok).toBe(valid)
  })

  test.each([
    ['BG 54029681', '5402-9681', 'bankgiro'],
    ['5402-9681', '5402-9681', 'bankgiro'],
    ['297-3675', '297-3675', 'bankgiro'],
    ['PG 90 20 03-3', '902003-3', 'plusgiro'],
    ['1-8', '1-8', 'plusgiro'],
    ['18', '1-8', 'plusgiro'],
    ['5439-1024039', '54391024039', undefined],
  ])('normalises %s to %s', (text, bban, kind) => {
    expect(check(text)).toEqual({ ok: true, bban })
    expect(giroKind(bban)).toBe(kind)
  })

  test('warns that a bare number of eight digits is read as Bankgiro, although it may be Plusgiro', () => {
    expect(check('54029681')).toMatchObject({
      ok: true,
      bban: '5402-9681',
      warning: expect.stringContaining('Plusgiro'),
    })
  })

  test('rejects a hyphen in a position that neither uses', () => {
    expect(check('54-029681').ok).toBe(false)
  })

  test('has no IBAN and no bank', () => {
    expect([ibanOf('SE', '5402-9681'), bankOf('SE', '1-8')]).toEqual([undefined, undefined])
  })
})

/** A number of a random bank with random digits, of which about a tenth are valid. */
const anyAccount = fc
  .tuple(fc.constantFrom(...clearingRanges), fc.nat(), fc.stringMatching(/^[0-9]{10}$/), fc.boolean())
  .map(([{ from, to, accountMinLength, accountMaxLength }, place, digits, short]) => {
    const length = short ? Math.max(accountMinLength, 7) : accountMaxLength
    return `${from + (place % (to - from + 1))}-${digits.slice(0, length)}`
  })

describe('invariants', () => {
  test('normalising the stored form again changes nothing', () => {
    const anything = fc.oneof(
      anyAccount,
      fc.stringMatching(/^[0-9]{1,16}$/),
      fc.stringMatching(/^[0-9]{2,7}-[0-9]{1,4}$/),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const checked = check(text)
        if (checked.ok) {
          expect(check(checked.bban)).toMatchObject({ ok: true, bban: checked.bban })
        }
      }),
      { numRuns: randomCases(5_000) },
    )
  })

  test('an IBAN made from a valid number is valid, is of the same bank, and parses back where it contains the clearing number', () => {
    fc.assert(
      fc.property(anyAccount, (text) => {
        const iban = ibanOf('SE', text)
        const checked = check(text)
        if (iban === undefined || !checked.ok) {
          return
        }
        expect(checkIban(iban)).toMatchObject({ ok: true, iban })
        const back = bbanOf(iban)
        const reason = expect.stringContaining('is an IBAN without the clearing number')
        expect(back).toMatchObject(back.ok ? { bban: checked.bban } : { reason })
      }),
      { numRuns: randomCases(5_000) },
    )
  })

  test('makes no IBAN where the sources disagree on it', () => {
    expect(check('9330-5930160535')).toEqual({ ok: true, bban: '93305930160535' })
    expect(ibanOf('SE', '9330-5930160535')).toBeUndefined()
  })
})

describe('organisation numbers', () => {
  test.each(orgnrSE)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkOrganisationNumber('SE', input).ok).toBe(valid)
  })

  test.each(['556047-3521', '5560473521', '165560473521', 'SE556047352101', 'SE 556047-3521 01'])(
    'normalises %s to ten digits',
    (text) => {
      expect(checkOrganisationNumber('SE', text)).toEqual({ ok: true, organisationNumber: '5560473521' })
    },
  )

  test('accepts the personal number of a sole trader, when it is a birth date', () => {
    expect(checkOrganisationNumber('SE', '811228-9874')).toEqual({ ok: true, organisationNumber: '8112289874' })
    expect(checkOrganisationNumber('SE', '19811228-9874').ok).toBe(true)
    expect(checkOrganisationNumber('SE', '811328-9873').ok).toBe(false)
    expect(checkOrganisationNumber('SE', '000000-0000').ok).toBe(false)
  })
})

describe('OCR', () => {
  /** Those of other levels are about the creditor's agreement with its bank; printed spaces are tested below. */
  const byCheckDigit = ({ input, level }: { input: string; level: string }) => level === 'check' && !/ /.test(input)

  test.each(ocrSe.filter(byCheckDigit))('validates $input as valid: $valid', ({ input, valid }) =>
    expect(checkReference('SE', input).ok).toBe(valid),
  )

  test.each(ocrSeMake)('accepts for $base only the check digit of $result', ({ base, result }) => {
    const start = result.slice(0, -1)
    const fitting = [...'0123456789'].filter((digit) => checkReference('SE', start + digit).ok)
    expect(start.startsWith(base)).toBe(true)
    expect(fitting).toEqual([result.at(-1)])
  })

  test('requires the check digit, and reports the check', () => {
    expect(checkReference('SE', '1230')).toEqual({ ok: true, reference: '1230', checkMethod: 'Modulus10' })
    expect(checkReference('SE', '1231')).toEqual({ ok: false, reason: 'has a wrong check digit (modulus 10)' })
  })

  test('is stored without the spaces it is printed with', () => {
    expect(checkReference('SE', '12 30')).toEqual({ ok: true, reference: '1230', checkMethod: 'Modulus10' })
  })

  test('is the only kind of reference', () => {
    expect(checkReference('SE', { type: 'fik', value: '+71<000000000000018+81234567<' }).ok).toBe(false)
  })
})
