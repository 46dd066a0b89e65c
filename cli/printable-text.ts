/** Makes texts of banks, partners and browsers safe to print: a terminal obeys the escape sequences in them. */

/** Control characters, also those of 8 bits, and those that reorder what is printed around them. */
const UNPRINTABLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu
const LINE_BREAKS = /[\r\n\t\u2028\u2029]+/g
const REPLACEMENT = '\ufffd'

/** The text with its lines. */
export function printableText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNPRINTABLE, REPLACEMENT)
}

/** The text in one line, so that it forges no other line of a list. */
export function printableLine(text: string): string {
  return printableText(text.replaceAll(LINE_BREAKS, ' '))
}
