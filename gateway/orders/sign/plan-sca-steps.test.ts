/** Tests the plan of SCA steps: baskets that fit, no payment left out, and clear limits. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AcknowledgedPayment } from '../payment.ts'
import { type BasketTerms, planScaSteps, requireChainable, requireWithinApprovalLimit } from './approval.ts'

const NO_BASKETS: BasketTerms = { sizeMax: null, basketIdByPayment: new Map(), alone: new Set() }
const BASKETS_OF_THREE: BasketTerms = { ...NO_BASKETS, sizeMax: 3 }

/** The state of a payment in plans: `u` is unsigned, `p` is partly signed. */
function payments(kinds: string): readonly AcknowledgedPayment[] {
  return [...kinds].map((kind, n) => {
    const status = kind === 'u' ? 'Unsigned' : 'CustomerActionRequired'
    return Object({ id: `${kind}${n}`, status }) as AcknowledgedPayment
  })
}

function planned(kinds: string, terms: BasketTerms): readonly string[] {
  return planScaSteps(payments(kinds), terms).map(({ basketId, payments: together }) => {
    const ids = together.map(({ id }) => id).join(' ')
    return basketId === null ? ids : `(${ids})`
  })
}

describe('payments are signed', () => {
  test.each<[kinds: string, terms: BasketTerms, steps: readonly string[]]>([
    ['uu', NO_BASKETS, ['u0', 'u1']],
    ['uuuuuuu', BASKETS_OF_THREE, ['(u0 u1 u2)', '(u3 u4 u5)', 'u6']],
    ['upu', BASKETS_OF_THREE, ['(u0 u2)', 'p1']],
    ['pup', BASKETS_OF_THREE, ['p0', 'u1', 'p2']],
    ['uuuu', { ...BASKETS_OF_THREE, alone: new Set(['u1', 'u2']) }, ['(u0 u3)', 'u1', 'u2']],
    [
      'upup',
      {
        ...BASKETS_OF_THREE,
        basketIdByPayment: new Map([
          ['p1', 'kept'],
          ['p3', 'kept'],
        ]),
      },
      ['(u0 u2)', '(p1 p3)'],
    ],
  ])('%s', (kinds, terms, steps) => {
    expect(planned(kinds, terms)).toEqual(steps)
  })

  test('in a basket that a user has signed already, under its id, even for one payment', () => {
    const terms = { ...BASKETS_OF_THREE, basketIdByPayment: new Map([['p0', 'kept']]) }
    expect(planScaSteps(payments('p'), terms)).toMatchObject([{ basketId: 'kept' }])
  })

  test('once each, in no basket that is larger than its bank permits, for any list', () => {
    const kinds = fc.string({ unit: fc.constantFrom('u', 'p'), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(kinds, fc.option(fc.integer({ min: 1, max: 7 })), (list, sizeMax) => {
        const steps = planScaSteps(payments(list), { ...NO_BASKETS, sizeMax })
        const all = steps.flatMap(({ payments: together }) => together.map(({ id }) => id))
        expect(all.toSorted()).toEqual(
          payments(list)
            .map(({ id }) => id)
            .toSorted(),
        )
        expect(Math.max(...steps.map(({ payments: together }) => together.length))).toBeLessThanOrEqual(sizeMax ?? 1)
      }),
    )
  })
})

describe('the first payment beyond the limit', () => {
  test('of a plan is the one that would start the eleventh signature', () => {
    const list = payments(`uu${'p'.repeat(10)}u`)
    const pathOf = (id: string) => `.payments[${list.findIndex((payment) => payment.id === id)}]`
    const check = (some: readonly AcknowledgedPayment[]) => () =>
      requireChainable(planScaSteps(some, BASKETS_OF_THREE), pathOf, BASKETS_OF_THREE)
    expect(check(list)).toThrow(
      expect.objectContaining({ validationErrors: [expect.objectContaining({ path: '.payments[11]' })] }),
    )
    expect(check(list.slice(0, 11))).not.toThrow()
  })

  test.each([
    [null, 10],
    [50, 500],
  ])('at a bank with baskets of %s is the one after %i, at its path in the request', (sizeMax, most) => {
    const paths = Array.from({ length: most + 1 }, (_value, n) => `.payments[${n}]`)
    expect(() => requireWithinApprovalLimit(paths.slice(0, most), sizeMax)).not.toThrow()
    expect(() => requireWithinApprovalLimit(paths, sizeMax)).toThrow(
      expect.objectContaining({ validationErrors: [expect.objectContaining({ path: `.payments[${most}]` })] }),
    )
  })
})
