/** Shows which characters a country's payments take, how texts cross a border, and how long they may be. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { firstStrangeTo, firstStrangeToSepa, transliterate } from './character-sets.ts'
import { fieldLengths } from './field-lengths.ts'
import { checkReference } from './structured-reference.ts'

describe('characters', () => {
  test.each(vectors.suites.sepaText)('finds $input sound for SEPA: $valid', ({ input, valid }) => {
    expect(firstStrangeToSepa(input) === undefined).toBe(valid)
    expect(firstStrangeTo('FI', input) === undefined).toBe(valid)
  })

  test.each([
    ['NO', 'Ærlig Øl & Ångström, 50 % (é)!', undefined],
    ['NO', 'Æble ñ', 'ñ'],
    ['SE', 'Åkes Bröd & Kök, Café', undefined],
    ['SE', 'Ærlig', 'Æ'],
    ['DK', 'Rødgrød & Æbler på Ålborg', undefined],
    ['DK', 'Götheborg', 'ö'],
    ['constructor', 'å', 'å'],
  ])('in %s finds in %s the strange character %s', (country, text, character) => {
    expect(firstStrangeTo(country, text)?.character).toBe(character)
  })

  test.each([
    ['/abc', 1],
    ['abc//d', 5],
    ['abc/', 4],
    ['a_b/', 2],
    ['a//b_', 3],
  ])('names the first trouble of %s at position %i', (text, position) => {
    expect(firstStrangeToSepa(text)?.position).toBe(position)
  })
})

describe('transliteration', () => {
  test('follows the conversion table of the EPC, and drops accents beyond it', () => {
    expect(transliterate('Ærlig Øl & Ångström, Café Müller, Ñandú')).toBe(
      'AErlig OEl + AAngstroem, Cafe Mueller, Nandu',
    )
    expect(transliterate('A\u030angstrom')).toBe('AAngstrom')
  })

  test('changes nothing that SEPA takes, and makes Nordic texts such as SEPA takes', () => {
    const sepa = fc.stringMatching(/^[a-zA-Z0-9 ?:().,'+-]{0,40}$/)
    const nordic = fc.stringMatching(/^[a-zA-Z0-9 æøåäöüéÆØÅÄÖÜÉ&?:().,'+-]{0,40}$/)
    fc.assert(
      fc.property(sepa, (text) => {
        expect(transliterate(text)).toBe(text)
      }),
    )
    fc.assert(
      fc.property(nordic, (text) => {
        expect(firstStrangeToSepa(transliterate(text))).toBeUndefined()
      }),
    )
  })

  test('leaves what it cannot write for the check to name', () => {
    expect(transliterate('50 €')).toBe('50 €')
  })
})

describe('lengths', () => {
  test.each([
    ['NO', '0'],
    ['SE', '0'],
  ] as const)('of references are those that the check of %s takes', (country, digit) => {
    const longest = fieldLengths[country].reference
    expect(checkReference(country, digit.repeat(longest)).ok).toBe(true)
    expect(checkReference(country, digit.repeat(longest + 1)).ok).toBe(false)
  })
})
