/** Finds what a bank would not take in a text: each bank names the characters that it takes by a pattern. */

/** A character that does not match, and where it stands, counted from 1 in characters as people see them. */
export type StrangeCharacter = { readonly character: string; readonly position: number }

const expressionByPattern = new Map<string, RegExp>()
const segmenter = new Intl.Segmenter('en')

/** The first character that is not of the class, e.g. `[a-zA-Z0-9 ]`; undefined when all are. */
export function firstStrangeCharacter(text: string, characterClass: string): StrangeCharacter | undefined {
  const allowed = expressionOf(characterClass)
  // Nearly every text is sound, and telling characters as people see them apart costs most of the time here.
  if (allowed.test(text)) {
    return undefined
  }
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment)
  const index = characters.findIndex((character) => !allowed.test(character))
  const character = characters[index]
  return character === undefined ? undefined : { character, position: index + 1 }
}

/** Says it to the one who wrote the text: `holds "€" (U+20AC) at position 4, which the bank does not take`. */
export function tellStrangeCharacter({ character, position }: StrangeCharacter): string {
  const codes = [...character].map(
    (point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const invisible = /^[\p{C}\p{Z}]+$/u.test(character)
  // Two spellings of é look alike: only the codes tell the composed one from the other.
  const shown = invisible ? codes.join(' ') : `"${character}" (${codes.join(' ')})`
  return `holds ${shown} at position ${position}, which the bank does not take`
}

/** Matches texts of which every character is of the class. Patterns come from profiles: there are as many, so they are kept. */
function expressionOf(characterClass: string): RegExp {
  const known = expressionByPattern.get(characterClass)
  if (known !== undefined) {
    return known
  }
  const expression = new RegExp(`^${characterClass}*$`, 'u')
  expressionByPattern.set(characterClass, expression)
  return expression
}
