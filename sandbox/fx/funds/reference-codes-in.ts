/** Finds reference codes in a text, such as `HVN7K3M9Q2XA`: letters and digits that are too long to be accidental. */

/** Shorter sequences may occur in any reference. */
const CHARACTERS_MIN = 8
const SEPARATORS = /[^A-Z0-9]/g

/** Codes are returned in capitals, as they are compared. */
export function referenceCodesIn(text: string): string[] {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/)
  return words.filter((word) => word.length >= CHARACTERS_MIN && /[0-9]/.test(word) && /[A-Z]/.test(word))
}

/** Removes the blanks and hyphens with which a sender may have typed a reference. */
export function withoutSeparators(text: string): string {
  return text.toUpperCase().replace(SEPARATORS, '')
}
