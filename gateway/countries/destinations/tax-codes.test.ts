/** Tests tax codes with published numbers and an independent library. */
import fc from 'fast-check'
import { stdnum } from 'stdnum'
import { describe, expect, test } from 'vitest'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { randomCases } from '../../../setup/random-cases.ts'
import { requirementsOf } from './requirements-table.ts'
import { checkTaxCode } from './tax-codes.ts'

const RUNS = { numRuns: randomCases(2_000) }

function check(country: string, text: string) {
  const taxCode = requirementsOf(country)?.taxCode
  if (taxCode === undefined) {
    throw new Error(`There are no tax codes of ${country}`)
  }
  return checkTaxCode(text, taxCode)
}

describe('tax codes', () => {
  test.each(vectors.suites.taxCode)('validates $input of $country as valid: $valid', ({ country, input, valid }) => {
    expect(check(country, input).ok).toBe(valid)
  })

  test.each([
    ['BR', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['CL', '10.000.013-k', '10000013K'],
    ['UY', '21-100342-001-7', '211003420017'],
  ])('normalises %s %s to %s', (country, text, taxCode) => {
    expect(check(country, text)).toEqual({ ok: true, taxCode })
  })

  test('warns about numbers of the Dominican Republic with a wrong check digit, as some issued ones have', () => {
    expect(check('DO', '101850043')).toEqual({ ok: true, taxCode: '101850043' })
    expect(check('DO', '101850044')).toMatchObject({ ok: true, warning: expect.stringContaining('may be wrong') })
    expect(check('DO', '00113918204')).toMatchObject({ ok: true, warning: expect.stringContaining('may be wrong') })
  })
})

/** Half of the numbers are derived from valid ones, with one digit changed or not. */
function near(examples: readonly string[], length: number): fc.Arbitrary<string> {
  const anything = fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
  const changed = fc
    .tuple(fc.constantFrom(...examples), fc.nat(length - 1), fc.nat(9), fc.boolean())
    .map(([text, at, digit, keep]) => (keep ? text : text.slice(0, at) + digit + text.slice(at + 1)))
  return fc.oneof(anything, changed)
}

describe('tax codes against stdnum', () => {
  test.each([
    ['BR', 'cpf', near(['39053344705', '11144477735'], 11)],
    ['BR', 'cnpj', near(['11222333000181', '16727230000197'], 14)],
    [
      'AR',
      'cuit',
      near(['20055361682', '20267565393', '30500001735'], 11).filter((text) => /^(20|23|24|27|30|33|34)/.test(text)),
    ],
    ['CL', 'rut', near(['125319092', '760864285'], 9)],
    ['PE', 'ruc', near(['20512333797', '20100047218'], 11)],
    [
      'UY',
      'rut',
      near(['211003420017'], 12).filter((text) => /^(0[1-9]|1[0-9]|2[01])(?!000000)[0-9]{6}001/.test(text)),
    ],
    ['UY', 'cedula', near(['10193331', '21101111'], 8)],
    ['TH', 'idnr', near(['1234545678781'], 13).filter((text) => /^[1-8]/.test(text))],
    ['CO', 'nit', near(['8909039388', '9003731151'], 10).filter((text) => /^[89]/.test(text))],
  ])('%s %s agree', (country, kind, numbers) => {
    fc.assert(
      fc.property(numbers, (text) => {
        expect([text, check(country, text).ok]).toEqual([text, isStandard(country, kind, text)])
      }),
      RUNS,
    )
  })

  test.each([
    ['rnc', near(['101850043'], 9)],
    ['cedula', near(['00113918205'], 11)],
  ])('DO %s agree: a wrong check digit causes a warning here', (kind, numbers) => {
    fc.assert(
      fc.property(numbers, (text) => {
        const checked = check('DO', text)
        expect([text, checked.ok && checked.warning === undefined]).toEqual([text, isStandard('DO', kind, text)])
      }),
      RUNS,
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
