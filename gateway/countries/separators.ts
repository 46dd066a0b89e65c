/** Normalises and removes separators in numbers, as users, spreadsheets and web pages write them. */

/** Invisible characters: joiners, direction marks, soft hyphens, byte order marks. */
const INVISIBLE = /\p{Cf}/gu
/** Spaces of every width. */
const SPACES = /[\s\p{Z}]+/gu
/** Hyphens, dashes and the minus sign. */
const DASHES = /[\p{Pd}\u2212]/gu
/** Points, commas and slashes, which are treated as spaces. */
const POINTS = /[.,/\\·]/gu

/** Replaces every dash by a hyphen and every other separator by a space. */
export function withPlainSeparators(text: string): string {
  const visible = text.replace(INVISIBLE, '')
  return visible.replace(DASHES, '-').replace(POINTS, ' ').replace(SPACES, ' ').trim()
}

/** Removes all separators. */
export function withoutSeparators(text: string): string {
  return withPlainSeparators(text).replace(/[ -]/g, '')
}

/** Removes spaces; hyphens may be part of a reference. */
export function withoutSpaces(text: string): string {
  return text.replace(INVISIBLE, '').replace(SPACES, '')
}
