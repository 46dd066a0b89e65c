/** Tests account numbers of countries without IBAN with published numbers and an independent library. */
import fc from 'fast-check'
import { stdnum } from 'stdnum'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { checkLocalAccount } from './local-account.ts'
import { requirementsOf } from './requirements-table.ts'

const RUNS = { numRuns: randomCases(2_000) }
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))

function check(country: string, text: string, clearingCode?: string) {
  const local = requirementsOf(country)?.local
  if (local === undefined) {
    throw new Error(`${country} has no account numbers of its own`)
  }
  return checkLocalAccount(text, local, clearingCode)
}

describe('account numbers with check digits', () => {
  test.each([
    ['MX', '032180000118359719', true],
    ['MX', '032180000118359718', false],
    ['AR', '2850590940090418135201', true],
    ['AR', '28505909 40090418135201', true],
    ['AR', '2810590940090418135201', false],
    ['AR', '2850590940090418135202', false],
    ['MA', '007780000123456789012396', true],
    ['MA', '007780000123456789012397', false],
    ['NZ', '01-0902-0068389-00', true],
    ['NZ', '01-0902-0068389-000', true],
    ['NZ', '01-0902-0068388-00', false],
    ['NZ', '08-6523-1954512-001', true],
    ['NZ', '08-6523-1954513-001', false],
    ['NZ', '99-6523-1954513-001', true],
    ['GB', '31926819', true],
    ['GB', '3192681', false],
    ['JP', '1234567', true],
    ['JP', '12345678', false],
  ])('%s %s: %s', (country, text, valid) => {
    expect(check(country, text).ok).toBe(valid)
  })

  test.each([
    ['011', '0000014579', true],
    ['011', '0000014578', false],
    ['000011', '0000014579', true],
    [undefined, '0000014578', true],
    ['50211', '1234567890', false],
    ['abc', '0000014578', true],
  ])('of Nigeria depend on the bank: %s %s: %s', (bank, text, valid) => {
    expect(check('NG', text, bank).ok).toBe(valid)
  })

  test('of Peru cause a warning, as their rule is not published', () => {
    expect(check('PE', '011-366-000100032542-21')).toEqual({ ok: true, bban: '01136600010003254221' })
    expect(check('PE', '011-366-000100032542-22')).toMatchObject({
      ok: true,
      warning: expect.stringContaining('wrong'),
    })
  })
})

describe('account numbers against stdnum', () => {
  test('CBUs of Argentina agree, except check digits of 0, which stdnum rejects', () => {
    const numbers = fc
      .tuple(digits(7), digits(13), fc.nat(9), fc.nat(9))
      .map(([bank, account, one, other]) => `${bank}${one}${account}${other}`)

    fc.assert(
      fc.property(
        withSoundEnd(numbers, 'AR').filter((text) => !/^.{7}0|0$/.test(text)),
        (text) => {
          expect([text, check('AR', text).ok]).toEqual([text, isStandard('AR', 'cbu', text)])
        },
      ),
      RUNS,
    )
  })

  test('CLABEs of Mexico agree, for banks and places that stdnum contains', () => {
    const numbers = fc.tuple(digits(11), fc.nat(9)).map(([account, check]) => `032180${account}${check}`)
    fc.assert(
      fc.property(numbers, (text) => {
        expect([text, check('MX', text).ok]).toEqual([text, isStandard('MX', 'clabe', text)])
      }),
      RUNS,
    )
  })

  test('numbers of New Zealand agree, for banks and branches that both contain with the same rule', () => {
    const numbers = fc
      .tuple(
        fc.constantFrom('010902', '021201', '031301', '061401', '086523', '115000', '252501'),
        digits(7),
        digits(3),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(numbers, (text) => {
        expect([text, check('NZ', text).ok]).toEqual([text, isStandard('NZ', 'bank', text)])
      }),
      { numRuns: randomCases(10_000) },
    )
  })
})

/** One number in a hundred is valid by chance: half of them get the check digits that make them valid. */
function withSoundEnd(numbers: fc.Arbitrary<string>, country: string): fc.Arbitrary<string> {
  return fc.tuple(numbers, fc.boolean()).map(([text, sound]) => {
    const ends = [...'0123456789'].flatMap((one) => [...'0123456789'].map((other) => [one, other] as const))
    const [one, other] = ends.find(([a, b]) => check(country, ended(text, a, b)).ok) ?? ['0', '0']
    return sound ? ended(text, one, other) : text
  })
}

function ended(text: string, one: string, other: string): string {
  return text.slice(0, 7) + one + text.slice(8, -1) + other
}

function isStandard(country: string, kind: string, text: string): boolean {
  const validator = stdnum[country]?.[kind]
  if (validator === undefined) {
    throw new Error(`stdnum has no ${kind} of ${country}`)
  }
  return validator.validate(text).isValid
}
