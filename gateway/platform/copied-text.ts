/** Normalises the separators of copied identifiers: which of them one may have, and where, is up to its kind. */

/** Invisible characters: joiners, direction marks, soft hyphens, byte order marks, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Spaces of every width. */
const SPACES = /[\s\p{Z}]+/gu
/** Hyphens, dashes and the minus sign, with the space around them. */
const DASHES = / ?[\p{Pd}\u2212\u2043] ?/gu

/** Control and invisible characters, and line breaks of Unicode, in no name: they would forge lines where it is printed. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
export const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu')

/** Removes invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Removes invisible characters, and replaces every dash by a hyphen and other spaces by one space. */
export function withPlainSeparators(text: string): string {
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').replace(DASHES, '-').trim()
}

/** Removes spaces and hyphens. Points, commas and slashes stay: before the last digits they are decimals. */
export function withoutSeparators(text: string): string {
  return withPlainSeparators(text).replace(/[ -]/g, '')
}

/** Removes spaces; hyphens may be part of a reference. */
export function withoutSpaces(text: string): string {
  return withPlainSeparators(text).replaceAll(' ', '')
}

/** A code of letters and digits, such as a BIC, in capitals. */
export function plainCode(text: string): string {
  return withoutSeparators(text).toUpperCase()
}
