/** Builds statements that read one row from their parameters, or many rows from a list of JSON objects. */
import { jsonRowsSql } from './json-rows.ts'

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
    ? { name: `${name}-one`, text: forOne, values: rowParameters({ columns }, row) }
    : { name: `${name}-many`, text: forMany, values: [JSON.stringify(rows)] }
}

/** The parameters of the form for one row. */
export function rowParameters({ columns }: Pick<RowStatement, 'columns'>, row: StatementRow): unknown[] {
  return columns.map((column) => row[column] ?? null)
}
