/** Prints rows as a table that people can read and `awk` can cut. */

const GAP = '  '

/** The table's lines: a heading, then one line a row, columns as wide as their widest cell; `whenEmpty` without a row. */
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
