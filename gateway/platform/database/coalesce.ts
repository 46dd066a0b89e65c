/** Combines concurrent requests into one statement: one flush at a time, rows sorted by key, one outcome per row. */
import { setTimeout as pause } from 'node:timers/promises'
import { DEADLOCK, errorCodeOf } from './database-unavailable.ts'
import { jsonRowsSql } from './sql-fragments.ts'

/** How rows that arrive during a flush are executed together. */
export type CoalesceSettings<Row, Result> = {
  /** Rows are locked in the order of this key, so that two processes cannot deadlock on them. */
  keyOf(row: Row): string
  /** Executes one statement and returns one result per row, in the order of the rows. */
  run(rows: readonly Row[]): Promise<readonly Result[]>
  readonly rowsMax?: number
  /**
   * How long a flush that is not full waits for more rows; where no request waits for a row, fewer statements cost
   * less.
   */
  readonly gatherMilliseconds?: number
}

type Waiting<Row, Result> = { row: Row; resolve: (result: Result) => void; reject: (error: unknown) => void }

/** Keeps a statement's parameters well below PostgreSQL's limits, and one flush below a few milliseconds. */
const ROWS_MAX = 128
const REPEATS_MAX = 3

/** Returns a function that executes one row and shares a statement with concurrent callers. */
export function coalesce<Row, Result>(settings: CoalesceSettings<Row, Result>): (row: Row) => Promise<Result> {
  const { rowsMax = ROWS_MAX, gatherMilliseconds = 0 } = settings
  const waiting: Waiting<Row, Result>[] = []
  let flushing = false

  async function flushAll(): Promise<void> {
    flushing = true
    while (waiting.length > 0) {
      if (gatherMilliseconds > 0 && waiting.length < rowsMax) {
        await pause(gatherMilliseconds)
      }
      await flush(waiting.splice(0, rowsMax), settings)
    }
    flushing = false
  }

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (!flushing) {
        void flushAll()
      }
    })
}

/** The same once for each source, which is a database or a context: so all requests of a process share a statement. */
export function coalesceBySource<Source extends object, Row, Result>({
  keyOf,
  run,
}: Pick<CoalesceSettings<Row, Result>, 'keyOf'> & {
  run(source: Source, rows: readonly Row[]): Promise<readonly Result[]>
}): (source: Source, row: Row) => Promise<Result> {
  const bySource = new WeakMap<Source, (row: Row) => Promise<Result>>()
  return (source, row) =>
    bySource.getOrInsertComputed(source, () => coalesce({ keyOf, run: (rows) => run(source, rows) }))(row)
}

/**
 * A deadlock had no effect: the same statement is repeated. One bad row fails a shared statement: every row is then
 * executed alone, and only the bad one fails.
 */
async function flush<Row, Result>(
  batch: Waiting<Row, Result>[],
  settings: CoalesceSettings<Row, Result>,
  attempt = 1,
): Promise<void> {
  batch.sort((left, right) => (settings.keyOf(left.row) < settings.keyOf(right.row) ? -1 : 1))
  try {
    const results = await settings.run(batch.map(({ row }) => row))
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index]
      if (result === undefined) {
        reject(new Error('A shared statement returned fewer results than rows'))
      } else {
        resolve(result)
      }
    }
  } catch (error) {
    if (attempt < REPEATS_MAX && errorCodeOf(error) === DEADLOCK) {
      return await flush(batch, settings, attempt + 1)
    }
    if (batch.length === 1 || !isRowError(error)) {
      for (const { reject } of batch) {
        reject(error)
      }
      return
    }
    for (const waiting of batch) {
      await flush([waiting], settings)
    }
  }
}

/** Whether a row's own values failed the statement (SQLSTATE classes 22 and 23), which then did nothing. */
function isRowError(error: unknown): boolean {
  return isConstraintViolation(error) || errorCodeOf(error)?.startsWith('22') === true
}

/** Whether PostgreSQL rejected a row for a constraint (SQLSTATE class 23), optionally the named one. */
export function isConstraintViolation(error: unknown, constraint?: string): boolean {
  const isViolation = errorCodeOf(error)?.startsWith('23') === true
  return isViolation && (constraint === undefined || Object(error).constraint === constraint)
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
