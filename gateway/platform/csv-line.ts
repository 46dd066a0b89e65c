/** Writes lines of CSV (RFC 4180) that are safe to open in spreadsheets, whichever separator these use. */

/**
 * Where a cell may begin in a text: spreadsheets in the Nordic countries also end cells at semicolons, in quotes too,
 * and ignore blanks, quotes and invisible characters before a formula.
 */
const SEGMENT = /[^;,|\t\r\n]+/g
const IGNORED = '[\\s\\p{Cc}\\p{Cf}"]*'
/** What spreadsheets interpret as a formula, and the apostrophe, so that an escaping apostrophe is unambiguous. */
const FORMULA = "['=+\\-@\u2212﹢﹣﹦﹫＝＋－＠]"
const BEFORE_FORMULA = new RegExp(`^${IGNORED}(?=${FORMULA})`, 'u')
const ESCAPED = new RegExp(`^(${IGNORED})'(?=${FORMULA})`, 'u')
/** What ends a cell or a line. */
const NEEDS_QUOTES = /[",\r\n]/

/** A line, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** The text of a cell that was written here: without the apostrophes before formulas. */
export function textOfCell(cell: string): string {
  return cell.replaceAll(SEGMENT, (segment) => segment.replace(ESCAPED, '$1'))
}

function cellOf(text: string): string {
  const harmless = text.replaceAll(SEGMENT, (segment) => segment.replace(BEFORE_FORMULA, "$&'"))
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
