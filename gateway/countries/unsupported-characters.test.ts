/** Shows that a text's first character that a bank refuses is found and named. */
import { describe, expect, test } from 'vitest'
import profile from '../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { firstStrangeCharacter, tellStrangeCharacter } from './unsupported-characters.ts'

const SWIFT_X = "[a-zA-Z0-9/\\-?:().,'+ ]"
const NORWEGIAN = profile.constraints.validInformationFieldCharactersPattern

describe('characters', () => {
  // The slashes at the ends and `//` are rules on the whole text, which no character class can express.
  test.each(vectors.suites.sepaText.filter(({ input }) => !/^\/|\/\/|\/$/.test(input)))(
    'finds $input sound in the SWIFT X set: $valid',
    ({ input, valid }) => {
      expect(firstStrangeCharacter(input, SWIFT_X) === undefined).toBe(valid)
    },
  )

  test('takes Norwegian names at a Norwegian bank', () => {
    expect(firstStrangeCharacter('Ærlig Øl & Ångström AS, 50 % (Kafé)', NORWEGIAN)).toBeUndefined()
  })

  test.each([
    ['50 €', 'holds "€" (U+20AC) at position 4, which the bank does not take'],
    ['a\u0000b', 'holds U+0000 at position 2, which the bank does not take'],
    ['line\nbreak', 'holds U+000A at position 5, which the bank does not take'],
    ['Ø👩‍👧x', 'holds "👩‍👧" (U+1F469 U+200D U+1F467) at position 2, which the bank does not take'],
    ['Cafe\u0301', 'holds "e\u0301" (U+0065 U+0301) at position 4, which the bank does not take'],
    ['a\u00a0b', 'holds U+00A0 at position 2, which the bank does not take'],
  ])('names the first strange character of %j', (text, told) => {
    const strange = firstStrangeCharacter(text, NORWEGIAN)
    expect(strange === undefined ? undefined : tellStrangeCharacter(strange)).toBe(told)
  })
})
