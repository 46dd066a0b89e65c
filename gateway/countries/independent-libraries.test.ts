/** Tests the national rules against independent libraries with random numbers; known differences are listed. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { valid as isKontonummer, parse as parseKontonummer } from 'kontonummer'
import { stdnum } from 'stdnum'
import { describe, expect, test } from 'vitest'
import registry from '../../data/iban-registry.json' with { type: 'json' }
import { randomCases } from '../../setup/random-cases.ts'
import { checkAccountNumber } from './account-number.ts'
import { checkBic } from './bic.ts'
import { checkIban } from './iban.ts'
import { ibanCheckDigits, modulus10, modulus11 } from './number-checks.ts'
import { checkOrganisationNumber, checkReference } from './served-countries.ts'
import { clearingRangeOf, clearingRanges } from './sweden/clearing-numbers.ts'

const require = createRequire(import.meta.url)
/** The library has no types; these are the two functions that are used. */
const finnish: {
  readonly isValidFinnishIBAN: (iban: string) => boolean
  readonly isValidFinnishRefNumber: (reference: string) => boolean
} = require('finnish-bank-utils')

const CASES = { numRuns: randomCases(10_000) }
const NATIONAL_CHECKS_OF_IBANTOOLS = 'BA BE CZ EE ES FR HR HU MC ME MK PL PT RS SI SK'.split(' ')
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))

/** Half of the numbers get the check digit that makes them valid, the others a random one. */
function ending(start: fc.Arbitrary<string>, checkOf: (start: string) => number): fc.Arbitrary<string> {
  return fc
    .tuple(start, fc.boolean(), fc.nat(9))
    .map(([text, sound, digit]) => text + (sound ? checkOf(text) % 10 : digit))
}

describe('Norway against stdnum', () => {
  test('account numbers agree, except numbers of bank 0000, which stdnum accepts', () => {
    const numbers = ending(digits(10), (start) => modulus11(start, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]))
    fc.assert(
      fc.property(numbers, (text) => {
        const expected = isStandard('NO', 'kontonr', text) && !text.startsWith('0000')
        expect(checkAccountNumber('NO', text).ok).toBe(expected)
      }),
      CASES,
    )
  })

  test('organisation numbers agree, except first digits other than 8 and 9, which stdnum accepts', () => {
    const numbers = ending(digits(8), (start) => modulus11(start, [3, 2, 7, 6, 5, 4, 3, 2]))
    fc.assert(
      fc.property(
        fc.oneof(
          numbers,
          numbers.map((text) => `9${text.slice(1)}`),
        ),
        (text) => {
          const expected = isStandard('NO', 'orgnr', text) && /^[89]/.test(text)
          expect(checkOrganisationNumber('NO', text).ok).toBe(expected)
        },
      ),
      CASES,
    )
  })
})

describe('Sweden against kontonummer and stdnum', () => {
  test('every clearing number has the same check, and is unknown to both or to neither', () => {
    for (let clearing = 1_000; clearing < 10_000; clearing++) {
      const range = clearingRangeOf(String(clearing))
      const other = known(String(clearing))
      expect([clearing, range?.type, range?.comment]).toEqual([clearing, other?.type, other?.comment])
    }
  })

  test('account numbers agree, except Plusgirot, where numbers of nine and ten digits are published too', () => {
    const numbers = fc
      .tuple(fc.constantFrom(...clearingRanges), fc.nat(), digits(9), fc.boolean(), fc.nat(9))
      .map(([range, place, start, sound, digit]) => {
        const clearing = String(range.from + (place % (range.to - range.from + 1)))
        const account = start.slice(0, Math.min(range.accountMaxLength, range.ibanMethod === 4 ? 8 : 10) - 1)
        const check = range.type === 2 && range.comment !== 2 && sound ? modulus10(account) : digit
        return {
          clearing: range.ibanMethod === 3 ? clearing + modulus10(clearing) : clearing,
          account: `${account}${check}`,
        }
      })
    fc.assert(
      fc.property(numbers, ({ clearing, account }) => {
        const checked = checkAccountNumber('SE', `${clearing} ${account}`)
        expect(checked.ok && checked.warning === undefined).toBe(isKontonummer(clearing, account))
      }),
      CASES,
    )
  })

  test('organisation numbers of companies agree; personal numbers are rejected by stdnum, and accepted here', () => {
    fc.assert(
      fc.property(ending(digits(9), modulus10), (text) => {
        const isCompany = /^..[2-9]/.test(text)
        expect(isCompany && checkOrganisationNumber('SE', text).ok).toBe(isCompany && isStandard('SE', 'orgnr', text))
      }),
      CASES,
    )
  })
})

describe('Denmark and Finland against stdnum and finnish-bank-utils', () => {
  test('CVR numbers agree, except those starting with 0, which stdnum accepts', () => {
    fc.assert(
      fc.property(digits(8), (text) => {
        expect(checkOrganisationNumber('DK', text).ok).toBe(isStandard('DK', 'cvr', text) && !text.startsWith('0'))
      }),
      CASES,
    )
  })

  test('business ids agree', () => {
    const numbers = ending(digits(7), (start) => modulus11(start, [7, 9, 10, 5, 8, 4, 2]))
    fc.assert(
      fc.property(numbers, (text) => {
        expect(checkOrganisationNumber('FI', text).ok).toBe(isStandard('FI', 'ytunnus', text))
      }),
      CASES,
    )
  })

  test('Finnish IBANs agree, except that a wrong inner check digit is a warning here', () => {
    fc.assert(
      fc.property(ending(digits(13), modulus10), (bban) => {
        const iban = `FI${ibanCheckDigits('FI', bban)}${bban}`
        const checked = checkIban(iban)
        const isSound = checked.ok && !/inner check digit/.test(checked.warning ?? '')
        expect(isSound).toBe(finnish.isValidFinnishIBAN(iban))
      }),
      CASES,
    )
  })

  test('viitenumerot agree', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9][0-9]{3,19}$/), (text) => {
        expect(checkReference('FI', text).ok).toBe(finnish.isValidFinnishRefNumber(text))
      }),
      CASES,
    )
  })
})

describe('IBANs and BICs against ibantools', () => {
  const foreign = Object.entries(registry.countries).filter(([code]) => !['NO', 'SE', 'DK', 'FI'].includes(code))

  test('IBANs of other countries agree, except national check digits, which are validated here for the Nordics only', () => {
    const examples = foreign.flatMap(([, country]) => ('example' in country ? [country.example] : []))
    const changed = fc
      .tuple(fc.constantFrom(...examples), fc.nat(), fc.constantFrom(...'0123456789AZ'), fc.boolean())
      .map(([iban, place, letter, sound]) => {
        const at = place % iban.length
        const text = iban.slice(0, at) + letter + iban.slice(at + 1)
        return sound ? text.slice(0, 2) + ibanCheckDigits(text.slice(0, 2), text.slice(4)) + text.slice(4) : text
      })
    fc.assert(
      fc.property(changed, (text) => {
        const [ours, theirs] = [checkIban(text).ok, isValidIBAN(text)]
        const isStricterThere = ours && NATIONAL_CHECKS_OF_IBANTOOLS.includes(text.slice(0, 2))
        expect([text, theirs || isStricterThere]).toEqual([text, ours])
      }),
      CASES,
    )
  })

  test('Norwegian IBANs agree, and Swedish, Danish and Finnish ones as far as ibantools validates them', () => {
    const numbers = fc.tuple(fc.constantFrom('NO', 'DK', 'FI', 'SE'), digits(20)).map(([country, text]) => {
      const bban = text.slice(0, { NO: 11, DK: 14, FI: 14, SE: 20 }[country])
      return `${country}${ibanCheckDigits(country, bban)}${bban}`
    })
    fc.assert(
      fc.property(numbers, (iban) => {
        const ours = checkIban(iban).ok && !iban.slice(4).startsWith('0000')
        const theirs = isValidIBAN(iban) && !iban.slice(4).startsWith('0000')
        // ibantools has the national check of Norway only.
        expect(iban.startsWith('NO') ? ours === theirs : theirs || !ours).toBe(true)
      }),
      CASES,
    )
  })

  test('BICs agree, except lower case, which ibantools accepts', () => {
    const letters = fc.stringMatching(/^[A-Za-z0-9]{4}(NO|SE|ZZ|GB|XK|Q1)[A-Z0-9]{1,6}$/)
    fc.assert(
      fc.property(letters, (text) => {
        expect([text, checkBic(text).ok]).toEqual([text, isValidBIC(text) && text === text.toUpperCase()])
      }),
      CASES,
    )
  })
})

function isStandard(country: string, kind: string, text: string): boolean {
  const validator = stdnum[country]?.[kind]
  if (validator === undefined) {
    throw new Error(`stdnum has no ${kind} of ${country}`)
  }
  return validator.validate(text).isValid
}

function known(clearing: string): { readonly type: number; readonly comment: number } | undefined {
  try {
    return parseKontonummer(clearing, '00', { mode: 'lax' })
  } catch {
    return undefined
  }
}
