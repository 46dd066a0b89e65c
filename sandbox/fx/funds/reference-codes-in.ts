/** Finds the codes in a text, such as `HVN7K3M9Q2XA`: words of letters and digits that are too long to be by chance. */

/** A shorter word may stand in any reference. */
const CHARACTERS_MIN = 8
const SEPARATORS = /[^A-Z0-9]/g

/** Codes as they are compared: in capitals. */
export function namesIn(text: string): string[] {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/)
  return words.filter((word) => word.length >= CHARACTERS_MIN && /[0-9]/.test(word) && /[A-Z]/.test(word))
}

/** A reference as it is searched for codes: however people write it, with blanks or hyphens. */
export function withoutSeparators(text: string): string {
  return text.toUpperCase().replace(SEPARATORS, '')
}
