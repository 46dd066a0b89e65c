/** Tests which spellings of a name can be one person's, and that order and case do not matter. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSamePerson } from './registered-person.ts'

const BORN = '1974-04-04'
const named = (name: string, birthDate = BORN) => {
  const words = name.split(' ')
  return { name: { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '' }, birthDate }
}
const areSame = (one: string, other: string) => isSamePerson(named(one), named(other))

describe('two names with one birth date', () => {
  test.each([
    ['Kari Nordmann', 'Kari Anne Nordmann'],
    ['Kari Nordmann', 'KARI NORDMANN'],
    ['Bjørnar Lie-Hagen', 'Bjørnar Lie Hagen'],
    ['Per d’Arcy ONeill', "Per D'Arcy ONeill"],
    ['Áilu Čáhppe', 'Ailu Cahppe'],
    ['Søren Åse', 'Søren A\u030ase'],
    ['  Kari   Nordmann ', 'Kari Nordmann'],
    ['Ka\u200bri Nord\u00admann', 'Kari Nordmann'],
    ['Łukasz Đorđević', 'LUKASZ DORDEVIC'],
    ['Biera Ŋuohtti Biŧŧi', 'Biera Nuohtti Bitti'],
  ])('can be one person’s: %s, %s', (one, other) => {
    expect([areSame(one, other), areSame(other, one)]).toEqual([true, true])
  })

  test.each([
    ['Hilde Bakke', 'Jan Bakke'],
    ['Kari Berg Nordmann', 'Kari Anne Nordmann'],
    ['Kari Nordmann', 'Nordmann Kari'],
    ['Kari Nordmann', 'Kari'],
    ['Åsa Öberg', 'Asa Oberg'],
    ['Børge Ås', 'Borge Ås'],
    ['Kari Nordmann', ''],
    ['', ''],
  ])('are of two persons: %s, %s', (one, other) => {
    expect([areSame(one, other), areSame(other, one)]).toEqual([false, false])
  })

  test('are of two persons where the birth dates differ', () => {
    expect(isSamePerson(named('Kari Nordmann'), named('Kari Nordmann', '1974-04-05'))).toBe(false)
  })

  test('may be split at another position', () => {
    const one = { name: { given: 'Kari', family: 'Berg Nordmann' }, birthDate: BORN }
    const other = { name: { given: 'Kari Berg', family: 'Nordmann' }, birthDate: BORN }
    expect(isSamePerson(one, other)).toBe(true)
  })
})

const word = fc.constantFrom('Kari', 'Anne', 'Berg', 'Nordmann', 'Åse', 'Øst')
const name = fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => words.join(' '))

test('a person is the same in any order and case of the names', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(areSame(one, one)).toBe(true)
      expect(areSame(one, other)).toBe(areSame(other, one))
      expect(areSame(one, other)).toBe(areSame(one.toUpperCase(), other.toLowerCase()))
    }),
  )
})

test('missing middle names do not make another person', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), fc.array(fc.boolean()), (words, stored) => {
      const some = words.filter((_word, index) => index === 0 || index === words.length - 1 || stored[index] === true)
      expect(areSame(words.join(' '), some.join(' '))).toBe(true)
    }),
  )
})
