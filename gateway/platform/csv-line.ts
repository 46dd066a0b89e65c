/** Writes lines of CSV (RFC 4180) that are safe to open in spreadsheets. */

/** What spreadsheets interpret as a formula, and the apostrophe, so that an escaping apostrophe is unambiguous. */
const FORMULA_PREFIX = /^['=+\-@\t\r\n＝＋－＠]/
/** What ends a cell or a line. */
const NEEDS_QUOTES = /[",\r\n]/

/** A line, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(text: string): string {
  const harmless = FORMULA_PREFIX.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
