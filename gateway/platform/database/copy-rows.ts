/** Writes rows with COPY, which takes a third of the processor time of an insert from JSON (decision 0105). */
import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './database.ts'
import { asUnavailability, DatabaseUnavailable } from './database-unavailable.ts'
import { jsonRowsSql } from './sql-fragments.ts'

/** A value of a column; texts are read by PostgreSQL as the column's type, and a list as an array of texts. */
export type CopiedValue = string | number | boolean | null | readonly string[]

/** Where rows go. The table's own names only: nothing is quoted. */
export type CopyTarget = {
  readonly table: string
  readonly columns: readonly string[]
  /** Statements without parameters and results, which are executed in the same transaction. */
  readonly before: string
}

const SPECIAL = /[\\\t\n\r]/
const SPECIALS = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/**
 * One row in the text format of COPY, in the order of the target's columns. As bytes: what waits to be written is out of
 * the way of the garbage collector.
 */
export function copyLine(values: readonly CopiedValue[]): Buffer {
  return Buffer.from(`${values.map(copiedText).join('\t')}\n`)
}

function copiedText(value: CopiedValue): string {
  if (value === null) {
    return '\\N'
  }
  const text = typeof value === 'object' ? arrayText(value) : String(value)
  return SPECIAL.test(text) ? text.replaceAll(SPECIALS, (special) => ESCAPED[special] ?? special) : text
}

function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/**
 * Writes all lines or none, in one round trip that PostgreSQL executes as one transaction. It does not wait for the
 * disk: a crash of the database may lose the last fraction of a second.
 */
export async function copyRows(
  { pool }: Database<unknown>,
  { table, columns, before }: CopyTarget,
  lines: readonly Buffer[],
): Promise<void> {
  const client = await pool.connect()
  let failure: unknown
  try {
    const text = `set local synchronous_commit = off; ${before}; copy ${table} (${columns.join(', ')}) from stdin`
    const stream = client.query(copyFrom(text))
    stream.end(Buffer.concat(lines))
    await finished(stream)
  } catch (error) {
    // The pool translates the errors of promises only.
    failure = asUnavailability(error)
    throw failure
  } finally {
    client.release(failure instanceof DatabaseUnavailable)
  }
}

/** A statement in both forms, which do the same with a row. */
export type RowStatement = {
  readonly name: string
  /** The parameters are the columns, in the order of `columns`. */
  readonly forOne: string
  /** The only parameter is a list of JSON objects. */
  readonly forMany: string
  readonly columns: readonly string[]
}

/** A row; absent columns are null. */
export type StatementRow = Readonly<Record<string, unknown>>

/**
 * `build` inserts the source of the rows after the name of a CTE. A single row is inlined wherever it is used: parsing
 * JSON and passing its columns through an intermediate result take as long as all else that such a statement does
 * (decision 0092).
 */
export function rowStatement(
  name: string,
  typesByColumn: Readonly<Record<string, string>>,
  build: (rows: string) => string,
): RowStatement {
  const columns = Object.keys(typesByColumn)
  const parameters = columns.map((column, index) => `$${index + 1}::${typesByColumn[column]} as ${column}`)
  const definitions = columns.map((column) => `${column} ${typesByColumn[column]}`)
  return {
    name,
    columns,
    forOne: build(`as not materialized (select ${parameters.join(', ')})`),
    forMany: build(`as materialized (${jsonRowsSql(definitions.join(', '))})`),
  }
}

/** The query that executes a statement for these rows, prepared under a name for each form. */
export function rowQuery({ name, forOne, forMany, columns }: RowStatement, rows: readonly StatementRow[]) {
  const [row] = rows
  return rows.length === 1 && row !== undefined
    ? { name: `${name}-one`, text: forOne, values: columns.map((column) => row[column] ?? null) }
    : { name: `${name}-many`, text: forMany, values: [JSON.stringify(rows)] }
}
