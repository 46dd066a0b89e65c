/** Generates any character of Unicode, for texts of the tests: fast-check takes seconds in each process to build its own. */
import * as fc from 'fast-check'

const [PRINTABLE_FIRST, PRINTABLE_LAST] = [0x20, 0x7e]
const PRINTABLE = PRINTABLE_LAST - PRINTABLE_FIRST + 1
/** Halves of pairs are no characters. */
const [SURROGATE_FIRST, SURROGATES] = [0xd800, 0x800]

/** The unit of `fc.string`. Small numbers are frequent, and stand for printable characters. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((number) => String.fromCodePoint(codePointOf(number)))

function codePointOf(number: number): number {
  if (number <= PRINTABLE_LAST) {
    return number < PRINTABLE ? number + PRINTABLE_FIRST : number - PRINTABLE
  }
  return number < SURROGATE_FIRST ? number : number + SURROGATES
}
