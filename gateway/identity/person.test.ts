/** Tests whether a person is recognised as the expected one, for any names and numbers. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesExpectedPerson, normaliseNationalId, type Person } from './person.ts'

const WORDS = [
  'Kari',
  'Anne',
  'Åse',
  'Øyvind',
  'Nordmann',
  'Lie',
  'Hagen',
  'Ñunez',
  'Čáhppe',
  'O’Neill',
  'Berg',
  'Åkerblom',
]
const word = fc.constantFrom(...WORDS)
const birthDate = fc.constantFrom('1950-01-01', '1971-05-14', '2000-02-29')
/** First name, middle names, last name. */
const named = fc.record({ first: word, middle: fc.uniqueArray(word, { maxLength: 3 }), last: word, birthDate })
type Named = {
  readonly first: string
  readonly middle: readonly string[]
  readonly last: string
  readonly birthDate: string
}

function person({ first, middle, last, birthDate: born }: Named, nationalId: string | null = null): Person {
  const name = { given: [first, ...middle].join(' '), family: last }
  return { name, birthDate: born, nationalId, country: 'NO', levelOfAssurance: 'high' }
}

describe('a person without a national id on both sides', () => {
  test('matches the expected person, however the name is written', () => {
    fc.assert(
      fc.property(named, fc.constantFrom('upper', 'lower', 'decomposed', 'spaced', 'hyphens', 'family'), (who, how) => {
        const { name, ...rest } = person(who)
        const written = {
          upper: { given: name.given.toUpperCase(), family: name.family.toUpperCase() },
          lower: { given: name.given.toLowerCase(), family: name.family.toLowerCase() },
          decomposed: { given: name.given.normalize('NFD'), family: name.family.normalize('NFD') },
          spaced: { given: `  ${name.given.replaceAll(' ', '   ')}`, family: `${name.family} ` },
          hyphens: { given: name.given.replaceAll(' ', '-'), family: name.family },
          // Where the last given name counts as part of the family name.
          family: { given: who.first, family: [...who.middle, who.last].join(' ') },
        }[how]
        expect(matchesExpectedPerson({ ...rest, name: written }, { ...rest, name })).toBe(true)
      }),
    )
  })

  test('matches without any of the middle names, and with any given name used', () => {
    fc.assert(
      fc.property(named, fc.integer({ min: 0, max: 7 }), (who, mask) => {
        const fewer = { ...who, middle: who.middle.filter((_name, index) => (mask & (1 << index)) !== 0) }
        expect(matchesExpectedPerson(person(who), person(fewer))).toBe(true)
        expect(matchesExpectedPerson(person(fewer), person(who))).toBe(true)
      }),
    )
  })

  test('does not match with another birth date, first name or last name', () => {
    fc.assert(
      fc.property(named, named, (who, other) => {
        fc.pre(who.birthDate !== other.birthDate || who.first !== other.first || who.last !== other.last)
        // A single name may be first and last.
        fc.pre(who.birthDate !== other.birthDate || who.middle.length + other.middle.length === 0)
        expect(matchesExpectedPerson(person(who), person(other))).toBe(false)
      }),
    )
  })
})

describe('national ids on both sides', () => {
  test('decide, whatever the names', () => {
    fc.assert(
      fc.property(named, named, fc.boolean(), (who, other, isSame) => {
        const expected = { ...person(other), nationalId: '010190-12345' }
        expect(matchesExpectedPerson(person(who, isSame ? '01019012345' : '01019012346'), expected)).toBe(isSame)
      }),
    )
  })

  test.each([
    ['01 01 90 12345', '01019012345'],
    ['310198-9037', '3101989037'],
    ['200582-902l', '200582902L'],
  ])('are compared without separators: %s', (written, plain) => {
    expect(normaliseNationalId(written)).toBe(plain)
  })
})
