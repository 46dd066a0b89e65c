/** Queries that all tables share: rows by a column, new and changed rows, and lists in pages. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowOf } from '../../../gateway/platform/database/columns.ts'
import type { OperationCall, Parameters } from '../protocol/operation-call.ts'
import type { Page } from '../protocol/pagination.ts'
import { notFound } from '../protocol/provider-api-error.ts'
import type { Tables } from '../tables.ts'

type RowTable = Exclude<keyof Tables, 'clock'>
type NewRow<Table extends RowTable> = Omit<Tables[Table], 'position'>
type FindOptions<Table extends RowTable> = { readonly by?: keyof Tables[Table] & string; readonly lock?: boolean }

export const EVERY_ROW: Page = { number: 1, size: Number.MAX_SAFE_INTEGER, isDescending: false }

/** The row with this id, or with this value of another unique column; `lock` holds it until the transaction ends. */
export async function findRow<Table extends RowTable>(
  books: Kysely<Tables>,
  table: Table,
  value: string,
  { by, lock = false }: FindOptions<Table> = {},
): Promise<Tables[Table] | undefined> {
  const { rows } = await sql<Tables[Table]>`
    select * from ${sql.table(table)} where ${sql.ref(by ?? 'id')} = ${value} ${lock ? sql`for update` : sql``}`.execute(
    books,
  )
  return rows[0]
}

/** The row that a call names by its id. Throws the provider's error for the noun. */
export async function requireRow<Table extends RowTable>(
  { books, parameters }: OperationCall,
  table: Table,
  noun: string,
  options: FindOptions<Table> = {},
): Promise<Tables[Table]> {
  const row = await findRow(books, table, parameters['id'] ?? '', options)
  if (row === undefined) {
    throw notFound(noun)
  }
  return row
}

export async function insertRow<Table extends RowTable>(
  books: Kysely<Tables>,
  table: Table,
  row: NewRow<Table>,
): Promise<Tables[Table]> {
  const columns = Object.entries(rowOf(row))
  return requireOne(
    await sql<Tables[Table]>`
      insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
      values (${sql.join(columns.map(([, value]) => value))}) returning *`.execute(books),
  )
}

export async function updateRow<Table extends RowTable>(
  books: Kysely<Tables>,
  table: Table,
  { id }: { readonly id: string },
  change: Partial<NewRow<Table>>,
): Promise<Tables[Table]> {
  const assignments = Object.entries(rowOf(change)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  return requireOne(
    await sql<Tables[Table]>`
      update ${sql.table(table)} set ${sql.join(assignments)} where id = ${id} returning *`.execute(books),
  )
}

function requireOne<Row>({ rows: [row] }: { readonly rows: readonly Row[] }): Row {
  if (row === undefined) {
    throw new Error('The statement returned no row')
  }
  return row
}

/** A page of the rows that meet the conditions, in the order of the columns, and the number of all such rows. */
export async function listRows<Table extends RowTable>(
  books: Kysely<Tables>,
  table: Table,
  { number, size, isDescending }: Page,
  conditions: readonly RawBuilder<boolean>[] = [],
  order: readonly string[] = ['position'],
): Promise<{ readonly rows: readonly Tables[Table][]; readonly total: number }> {
  const matching = sql`from ${sql.table(table)} where ${sql.join([sql`true`, ...conditions], sql` and `)}`
  const sorting = order.map((name) => sql`${sql.ref(name)} ${isDescending ? sql`desc` : sql`asc`}`)
  const { rows } = await sql<Tables[Table]>`
    select * ${matching} order by ${sql.join(sorting)} offset ${(number - 1) * size} limit ${size}`.execute(books)
  const { total } = requireOne(await sql<{ total: bigint }>`select count(*) as total ${matching}`.execute(books))
  return { rows, total: Number(total) }
}

/** The conditions of those parameters that are given; each has its column. As texts: what is no id is that of nothing. */
export function equalTo(
  parameters: Parameters,
  columns: Readonly<Record<string, string>>,
): readonly RawBuilder<boolean>[] {
  return Object.entries(columns).flatMap(([parameter, column]) => {
    const value = parameters[parameter]
    return value === undefined ? [] : [sql<boolean>`${sql.ref(column)}::text = ${value}`]
  })
}
