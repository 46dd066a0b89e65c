/** Normalises the separators of copied numbers: which of them a number may have, and where, is up to its kind. */

/** Invisible characters: joiners, direction marks, soft hyphens, byte order marks, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Spaces of every width. */
const SPACES = /[\s\p{Z}]+/gu
/** Hyphens, dashes and the minus sign, with the space around them. */
const DASHES = / ?[\p{Pd}\u2212\u2043] ?/gu

/**
 * Digits in groups, as banks print long numbers: `1234567` or `1 234 567`. A space before other digits, such as the
 * decimals of a spreadsheet, is none.
 */
export const DIGIT_GROUPS = '(?:[0-9]+|[0-9]{1,4}(?: [0-9]{2,4})+)'

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

/**
 * An IBAN without its separators; undefined if it is not written as one. Countries print the part after the check digits
 * in groups of their own; length and modulus 97 fix which characters it has.
 */
export function ibanWithoutSeparators(text: string): string | undefined {
  const written = withPlainSeparators(text)
  return /^[A-Z]{2}[0-9]{2}([ -]?[A-Z0-9])+$/i.test(written) ? written.replace(/[ -]/g, '').toUpperCase() : undefined
}

/** Why a number has none of its printed forms: other characters, or separators in other places than its examples. */
export function separatorFault(text: string, examples: string): string {
  return /^[0-9 .,/·-]+$/.test(withPlainSeparators(text))
    ? `has separators in other places than it is written with: ${examples}`
    : 'contains characters other than digits'
}
