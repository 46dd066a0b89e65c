/** Prints rows as a table that is readable and can be parsed by `awk`, or as JSON. */
import { printableLine } from '../printable-text.ts'

const GAP = '  '

/** A value of JSON, and how it is shown where that differs. */
type Cell = JsonValue | { readonly value: JsonValue; readonly shown: string }
type JsonValue = string | number | boolean | null | readonly string[]

/** By its headings, in lower case, which are the names of the fields in JSON: `valid until` as `validUntil`. */
type Row = Readonly<Record<string, Cell>>

/** What a command lists; `whenEmpty` is printed in place of a table without rows. */
export type Table = { readonly rows: readonly Row[]; readonly whenEmpty: string }

/** How long ago something happened, in minutes; JSON has the time itself. */
export function minutesSince(since: Temporal.Instant, now: Temporal.Instant): Cell {
  return { value: since.toString(), shown: `${Math.max(0, Math.floor(now.since(since).total('minutes')))} min` }
}

/** A value that may be missing, which is null in JSON. */
export function cellOr(value: JsonValue, whenMissing: string): Cell {
  return value === null ? { value, shown: whenMissing } : value
}

/** The option of every command that prints a table. */
export type TableOptions = { readonly json?: boolean }

/** Prints the table, or with `--json` an array that has an object for each row. */
export function printTable(table: Table, { json = false }: TableOptions): void {
  console.log(json ? JSON.stringify(table.rows.map(valuesOf), null, 2) : tableOf(table))
}

function valuesOf(row: Row): Readonly<Record<string, JsonValue>> {
  const fields = Object.entries(row).map(([heading, cell]) => [
    heading.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    isShownOtherwise(cell) ? cell.value : cell,
  ])
  return Object.fromEntries(fields)
}

/** The lines of the table: headings and rows, padded to the widest cell. */
export function tableOf({ rows, whenEmpty }: Table): string {
  const [first] = rows
  if (first === undefined) {
    return whenEmpty
  }
  const headings = Object.keys(first).map((heading) => heading.toUpperCase())
  const lines = [headings, ...rows.map((row) => Object.values(row).map((cell) => printableLine(shownOf(cell))))]
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines.map((cells) => paddedLine(cells, widths)).join('\n')
}

function paddedLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(GAP)
    .trimEnd()
}

type AuditEntry = {
  readonly at: Temporal.Instant
  readonly actor: string
  readonly action: string
  readonly detail: unknown
}

/** What was done to one thing, and by whom. */
export function auditLogTable(history: readonly AuditEntry[]): string {
  const rows = history.map(({ at, actor, action, detail }) => {
    return { at: at.toString(), actor, action, detail: JSON.stringify(detail) }
  })
  return tableOf({ rows, whenEmpty: 'No audit log entries.' })
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
