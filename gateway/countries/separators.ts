/** Reads past what people, spreadsheets and web pages put between the characters of a number. */

/** What shows nothing: joiners, direction marks, soft hyphens, the mark of a file's start. */
const INVISIBLE = /\p{Cf}/gu
/** Spaces of every width. */
const SPACES = /[\s\p{Z}]+/gu
/** Hyphens, dashes and the minus sign. */
const DASHES = /[\p{Pd}\u2212]/gu
/** Points, commas and slashes, which separate no more than a space does. */
const POINTS = /[.,/\\·]/gu

/** The text with a hyphen for every dash and a space for everything else that separates. */
export function withPlainSeparators(text: string): string {
  const visible = text.replace(INVISIBLE, '')
  return visible.replace(DASHES, '-').replace(POINTS, ' ').replace(SPACES, ' ').trim()
}

/** The text without anything that separates. */
export function withoutSeparators(text: string): string {
  return withPlainSeparators(text).replace(/[ -]/g, '')
}

/** The text without spaces, as references are read: a hyphen may belong to them. */
export function withoutSpaces(text: string): string {
  return text.replace(INVISIBLE, '').replace(SPACES, '')
}
