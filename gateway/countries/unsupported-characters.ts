/** Finds characters in a text that a bank does not support, by the bank's character class. */

/** SWIFT's set X, which SEPA uses too, for use in a character class. */
export const SEPA_CHARACTERS = "a-zA-Z0-9/\\-?:().,'+ "

/** An unsupported character and its position from 1, in user-perceived characters. */
export type UnsupportedCharacter = { readonly character: string; readonly position: number }

/** There are as many classes as bank profiles. */
const expressionByClass = new Map<string, RegExp>()
const segmenter = new Intl.Segmenter('en')

/** The first character outside the class, e.g. `[a-zA-Z0-9 ]`; undefined if there is none. */
export function findUnsupportedCharacter(text: string, characterClass: string): UnsupportedCharacter | undefined {
  const allowed = expressionByClass.get(characterClass) ?? new RegExp(`^${characterClass}*$`, 'u')
  expressionByClass.set(characterClass, allowed)
  // Nearly every text is valid, and segmenting graphemes is the expensive part.
  if (allowed.test(text)) {
    return undefined
  }
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment)
  const index = characters.findIndex((character) => !allowed.test(character))
  const character = characters[index]
  return character === undefined ? undefined : { character, position: index + 1 }
}

/** Formats the reason: `contains "€" (U+20AC) at position 4, which the bank does not accept`. */
export function describeUnsupportedCharacter({ character, position }: UnsupportedCharacter): string {
  const codes = [...character].map(
    (point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const invisible = /^[\p{C}\p{Z}]+$/u.test(character)
  // Composed and decomposed é look alike: only the codes differ.
  const shown = invisible ? codes.join(' ') : `"${character}" (${codes.join(' ')})`
  return `contains ${shown} at position ${position}, which the bank does not accept`
}
