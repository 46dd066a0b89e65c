/** Prints rows as a table that is readable and can be parsed by `awk`, or as JSON. */
import { printableLine } from '../printable-text.ts'

const GAP = '  '

/** A value of JSON, and how it is shown where that differs. */
type Cell = JsonValue | { readonly value: JsonValue; readonly shown: string }
type JsonValue = string | number | boolean | null | readonly string[]

/** What a command lists. */
export type Table = {
  /** In lower case; in JSON the names of the fields, `valid until` as `validUntil`. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Printed in place of a table without rows. */
  readonly whenEmpty: string
}

/** How long ago something happened, in minutes; JSON has the time itself. */
export function minutesSince(since: Temporal.Instant, now: Temporal.Instant): Cell {
  return { value: since.toString(), shown: `${Math.max(0, Math.floor(now.since(since).total('minutes')))} min` }
}

/** The option of every command that prints a table. */
export type TableOptions = { readonly json?: boolean }

/** Prints the table, or with `--json` an array that has an object for each row. */
export function printTable({ headings, rows, whenEmpty }: Table, { json = false }: TableOptions): void {
  if (!json) {
    console.log(
      tableOf(
        headings,
        rows.map((row) => row.map(shownOf)),
        whenEmpty,
      ),
    )
    return
  }
  const names = headings.map((heading) => heading.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()))
  const objects = rows.map((row) =>
    Object.fromEntries(row.map((cell, column) => [names[column] ?? '', isShownOtherwise(cell) ? cell.value : cell])),
  )
  console.log(JSON.stringify(objects, null, 2))
}

/** The lines of the table: headings and rows, padded to the widest cell; `whenEmpty` when there are no rows. */
export function tableOf(headings: readonly string[], texts: readonly (readonly string[])[], whenEmpty: string): string {
  if (texts.length === 0) {
    return whenEmpty
  }
  const rows = texts.map((row) => row.map(printableLine))
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

/** A line for each fact of one thing: its name, padded to the longest, and its value. */
export function factLines(facts: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}${GAP}${printableLine(value)}`)
}

function shownOf(cell: Cell): string {
  if (isShownOtherwise(cell)) {
    return cell.shown
  }
  return Array.isArray(cell) ? cell.join(', ') : String(cell ?? '-')
}

function isShownOtherwise(cell: Cell): cell is Extract<Cell, { readonly shown: string }> {
  return typeof cell === 'object' && cell !== null && 'shown' in cell
}
