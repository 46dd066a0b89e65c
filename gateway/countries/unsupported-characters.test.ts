/** Tests that the first unsupported character of a text is found and named. */
import { describe, expect, test } from 'vitest'
import profile from '../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { describeUnsupportedCharacter, findUnsupportedCharacter } from './character-sets.ts'

const SWIFT_X = "[a-zA-Z0-9/\\-?:().,'+ ]"
const NORWEGIAN = profile.constraints.validInformationFieldCharactersPattern

describe('characters', () => {
  // The slashes at the ends and `//` are rules on the whole text, which no character class can express.
  test.each(vectors.suites.sepaText.filter(({ input }) => !/^\/|\/\/|\/$/.test(input)))(
    'validates $input in the SWIFT X set: $valid',
    ({ input, valid }) => {
      expect(findUnsupportedCharacter(input, SWIFT_X) === undefined).toBe(valid)
    },
  )

  test('accepts Norwegian names at a Norwegian bank', () => {
    expect(findUnsupportedCharacter('Ærlig Øl & Ångström AS, 50 % (Kafé)', NORWEGIAN)).toBeUndefined()
  })

  test.each([
    ['50 €', 'contains "€" (U+20AC) at position 4, which the bank does not accept'],
    ['a\u0000b', 'contains U+0000 at position 2, which the bank does not accept'],
    ['line\nbreak', 'contains U+000A at position 5, which the bank does not accept'],
    ['Ø👩‍👧x', 'contains "👩‍👧" (U+1F469 U+200D U+1F467) at position 2, which the bank does not accept'],
    ['Cafe\u0301', 'contains "e\u0301" (U+0065 U+0301) at position 4, which the bank does not accept'],
    ['a\u00a0b', 'contains U+00A0 at position 2, which the bank does not accept'],
  ])('reports the first unsupported character of %j', (text, reported) => {
    const strange = findUnsupportedCharacter(text, NORWEGIAN)
    expect(strange === undefined ? undefined : describeUnsupportedCharacter(strange)).toBe(reported)
  })
})
