/** Tests finding reference codes in remittance texts, and allocating inbound funds. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceCodesIn } from '../quotes/reference-code.ts'
import type { DealState } from '../store/deal.ts'
import { allocateFunds } from '../store/inbound-funds.ts'

const CODE = 'HVN2K7Q9XW4R'

describe('the reference code', () => {
  it.each([
    ['as it was given', CODE],
    ['in lower case', CODE.toLowerCase()],
    ['in groups', 'HVN 2K7Q 9XW4 R'],
    ['with symbols and words around it', `Invoice 17/2026 - ref: ${CODE}. Thanks`],
    ['split into lines', 'HVN2K7Q9\nXW4R'],
    ['adjacent to other letters', `REF${CODE}END`],
  ])('is found %s', (_how, text) => {
    expect(referenceCodesIn(text)).toContain(CODE)
  })

  it('is parsed with O for 0, and I or L for 1, as users type them', () => {
    expect(referenceCodesIn('hvn o1il23456')).toEqual(['HVN011123456'])
  })

  it.each(['', 'HVN', 'HVN2K7Q9XW4', 'HVM2K7Q9XW4R', 'HVN2K7Q9XW4U'])('is not in %j', (text) => {
    expect(referenceCodesIn(text)).toEqual([])
  })

  it('is found whatever is between and around its characters', () => {
    const code = fc
      .array(fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), { minLength: 9, maxLength: 9 })
      .map((characters) => `HVN${characters.join('')}`)
    const signs = fc.array(fc.constantFrom(...' -./:*\n'), { maxLength: 2 }).map((all) => all.join(''))
    fc.assert(
      fc.property(code, fc.array(signs, { minLength: 12, maxLength: 12 }), signs, (written, between, around) => {
        const text = around + [...written].map((character, place) => character + (between[place] ?? '')).join('')
        expect(referenceCodesIn(text)).toContain(written)
      }),
    )
  })

  it('finds each of two codes, once', () => {
    expect(referenceCodesIn(`${CODE}. HVN000000001. ${CODE}`)).toEqual(expect.arrayContaining([CODE, 'HVN000000001']))
  })
})

describe('a receipt', () => {
  const dealIn = (state: DealState) => ({ state, cost: { minor: 9000n, currency: 'NOK' } })
  const money = (minor: bigint, currency = 'NOK') => ({ amount: { minor, currency } })

  it.each([
    ['booking', 9000n, 'early'],
    ['booked', 8999n, 'short'],
    ['confirmed', 1n, 'short'],
    ['confirmed', 9001n, 'over'],
    ['funded', 9000n, 'twice'],
    ['paying', 9000n, 'twice'],
    ['paid', 9000n, 'twice'],
    ['returned', 9000n, 'twice'],
    ['cancelling', 9000n, 'late'],
    ['cancelled', 9000n, 'late'],
    ['failed', 9000n, 'late'],
  ] as const)('for a deal that is %s, %s øre, is held as %s', (state, minor, why) => {
    expect(allocateFunds(dealIn(state), money(minor), [])).toEqual({ hold: why })
  })

  it.each(['booked', 'confirmed'] as const)('funds a deal that is %s when it is the agreed amount', (state) => {
    expect(allocateFunds(dealIn(state), money(9000n), [money(100n)])).toEqual({ use: [money(9000n)] })
  })

  it('funds it together with earlier parts, to the øre', () => {
    const parts = [money(4000n), money(3000n)]
    expect(allocateFunds(dealIn('confirmed'), money(2000n), parts)).toEqual({ use: [...parts, money(2000n)] })
    expect(allocateFunds(dealIn('confirmed'), money(2001n), parts)).toEqual({ hold: 'short' })
  })

  it('is held in another currency, whatever its amount', () => {
    expect(allocateFunds(dealIn('confirmed'), money(9000n, 'SEK'), [])).toEqual({ hold: 'other-currency' })
  })
})
