/** Prints rows as a table that is readable and can be parsed by `awk`. */

const GAP = '  '

/** The lines of the table: headings and rows, padded to the widest cell; `whenEmpty` when there are no rows. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[], whenEmpty: string): string {
  if (rows.length === 0) {
    return whenEmpty
  }
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd()
  return [headings.map((heading) => heading.toUpperCase()), ...rows].map(lineOf).join('\n')
}
