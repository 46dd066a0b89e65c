/** Tests who may sign by which rule: more signatures never remove the right, and each person counts once. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSamePerson, type RegisteredPerson, type RegisteredRole, type RoleKind } from './registered-person.ts'
import {
  COMBINATIONS_MAX,
  maySign,
  type SigningCombination,
  type SigningRights,
  type SigningRule,
  satisfiesSigningRights,
  signingCombinations,
} from './signing-rights.ts'

const BOARD: readonly RoleKind[] = ['chair', 'deputy-chair', 'board-member']
const person = (given: string, family = 'Nordmann', birthDate = '1970-01-01'): RegisteredPerson => ({
  name: { given, family },
  birthDate,
})
const [kari, ola, ingrid, per] = [person('Kari'), person('Ola'), person('Ingrid'), person('Per')]
const role = (kind: RoleKind, of: RegisteredPerson): RegisteredRole => ({ role: kind, person: of })
const roles = [
  role('managing-director', kari),
  role('chair', ola),
  role('board-member', ingrid),
  role('board-member', kari),
  role('deputy-member', per),
]

const need = (kinds: readonly RoleKind[], count: number | 'all') => ({ roles: kinds, count })
const by = (...needs: readonly ReturnType<typeof need>[]): SigningRule => ({ kind: 'roles', needs })
const names = (combinations: readonly SigningCombination[]) =>
  combinations.map((combination) => combination.map(({ name }) => name.given).join('+'))
const combinationsBy = (...rights: SigningRights) => names(signingCombinations(rights, roles))

describe('a rule of a registry', () => {
  test('permits the chair to sign alone', () => {
    expect(combinationsBy(by(need(['chair'], 1)))).toEqual(['Ola'])
  })

  test('permits any two of the board to sign jointly; deputies are not included', () => {
    expect(combinationsBy(by(need(BOARD, 2)))).toEqual(['Ola+Ingrid', 'Ola+Kari', 'Ingrid+Kari'])
  })

  test('permits the managing director to sign with one of the board, who must be another person', () => {
    expect(combinationsBy(by(need(['managing-director'], 1), need(BOARD, 1)))).toEqual(['Kari+Ola', 'Kari+Ingrid'])
  })

  test('permits the whole board to sign, which may include the managing director', () => {
    const whole = need(BOARD, 'all')
    expect(combinationsBy(by(whole))).toEqual(['Ola+Ingrid+Kari'])
    expect(combinationsBy(by(need(['managing-director'], 1), whole))).toEqual(['Kari+Ola+Ingrid'])
    expect(combinationsBy(by(whole, need(['managing-director'], 1)))).toEqual(['Kari+Ola+Ingrid'])
  })

  test('permits named persons to sign', () => {
    expect(combinationsBy({ kind: 'persons', persons: [per, kari] })).toEqual(['Per+Kari'])
  })

  test('requires no more persons than another rule does', () => {
    expect(combinationsBy(by(need(BOARD, 'all')), by(need(BOARD, 2)), by(need(['chair'], 1)))).toEqual([
      'Ola',
      'Ingrid+Kari',
    ])
  })

  test.each([
    ['more persons than there are', by(need(['chair'], 2))],
    ['a role without holders', by(need(['proprietor'], 1))],
    ['all of a role without holders', by(need(['partner'], 'all'))],
    ['nobody', by(need(['chair'], 0))],
    ['a negative number', by(need(['chair'], -1))],
    ['nothing', by()],
    ['no person', { kind: 'persons', persons: [] } as const],
    ['a person twice', { kind: 'persons', persons: [kari, kari] } as const],
    ['one person under two names', { kind: 'persons', persons: [kari, person('Kari Anne')] } as const],
  ])('that requires %s cannot be met', (_what, rule) => {
    expect(combinationsBy(rule)).toEqual([])
  })

  test('without a registered person cannot be met', () => {
    expect(signingCombinations(null, roles)).toEqual([])
  })

  test('with too many combinations to choose from needs a manual review', () => {
    const board = Array.from({ length: 60 }, (_one, index) => role('board-member', person(`P${index}`, `N${index}`)))
    expect(signingCombinations([by(need(BOARD, 5))], board)).toEqual([])
    const few = board.slice(0, 20)
    expect(signingCombinations([by(need(BOARD, 2))], few)).toHaveLength(190)
    expect(signingCombinations([by(need(BOARD, 'all'))], board)).toHaveLength(1)
    expect(COMBINATIONS_MAX).toBeGreaterThan(190)
  })
})

describe('a combination', () => {
  test('is met once all of it have signed, also with additional signatures', () => {
    expect(maySign([kari, ola], [kari])).toBe(false)
    expect(maySign([kari, ola], [per, ola, kari])).toBe(true)
  })

  test('is met by persons whose names are written differently', () => {
    expect(maySign([kari], [person('KARI ANNE', 'Nordmann')])).toBe(true)
    expect(maySign([kari], [person('Kari', 'Nordmann', '1970-01-02')])).toBe(false)
  })

  test('is not met by one person who signs twice, even under two names', () => {
    const [a, b] = [person('Kari Anne'), person('Kari Berit')]
    expect(maySign([a, b], [a, a])).toBe(false)
    expect(maySign([a, b], [a, kari])).toBe(false)
    expect(maySign([a, b], [kari, a, b])).toBe(true)
  })

  test('of no one is never met', () => {
    expect(maySign([], [kari])).toBe(false)
    expect(satisfiesSigningRights([], [kari])).toBe(false)
  })
})

const given = fc.constantFrom('Kari', 'Kari Anne', 'Kari Berit', 'Ola', 'Ola Emil', 'Ingrid', 'Per')
const family = fc.constantFrom('Nordmann', 'Berg')
const anybody = fc.record({
  name: fc.record({ given, family }),
  birthDate: fc.constantFrom('1970-01-01', '1980-02-02'),
})
const kind = fc.constantFrom<RoleKind>('chair', 'board-member', 'managing-director')
const anyRoles = fc.array(fc.record({ role: kind, person: anybody }), { maxLength: 7 })
const anyNeed = fc.record({
  roles: fc.uniqueArray(kind, { minLength: 1 }),
  count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant('all' as const)),
})
const anyRule: fc.Arbitrary<SigningRule> = fc.oneof(
  fc.record({ kind: fc.constant('roles' as const), needs: fc.array(anyNeed, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('persons' as const), persons: fc.array(anybody, { maxLength: 3 }) }),
)
const anyRights = fc.array(anyRule, { maxLength: 3 })
const signatures = fc.array(anybody, { maxLength: 6 })

test('more signatures never remove a signing right', () => {
  fc.assert(
    fc.property(anyRights, anyRoles, signatures, anybody, (rights, company, signedBy, another) => {
      const combinations = signingCombinations(rights, company)
      if (satisfiesSigningRights(combinations, signedBy)) {
        expect(satisfiesSigningRights(combinations, [another, ...signedBy])).toBe(true)
        expect(satisfiesSigningRights(combinations, [...signedBy, another])).toBe(true)
      }
    }),
  )
})

test('all of a combination are enough, and all are required', () => {
  fc.assert(
    fc.property(anyRights, anyRoles, (rights, company) => {
      for (const combination of signingCombinations(rights, company)) {
        expect(maySign(combination, combination)).toBe(true)
        for (const left of combination) {
          expect(
            maySign(
              combination,
              combination.filter((one) => one !== left),
            ),
          ).toBe(false)
        }
      }
    }),
  )
})

test('a person who signs under many names counts once, and is never enough where two are required', () => {
  fc.assert(
    fc.property(fc.array(anybody, { minLength: 2, maxLength: 4 }), signatures, (combination, signedBy) => {
      const onePersons: RegisteredPerson[] = []
      for (const one of signedBy) {
        onePersons.push(...(onePersons.every((other) => isSamePerson(one, other)) ? [one] : []))
      }
      expect(maySign(combination, onePersons)).toBe(false)
    }),
  )
})

test('no combination contains another one, and the persons of each are distinguishable', () => {
  fc.assert(
    fc.property(anyRights, anyRoles, (rights, company) => {
      const combinations = signingCombinations(rights, company)
      for (const [at, one] of combinations.entries()) {
        expect(one.some((first) => one.some((second) => first !== second && isSamePerson(first, second)))).toBe(false)
        const others = combinations.filter((_other, index) => index !== at)
        expect(others.some((other) => other.every((somebody) => one.includes(somebody)))).toBe(false)
      }
    }),
  )
})
