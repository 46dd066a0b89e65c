/** Queries that all tables of the sandbox's programs share: rows by a column, and new and changed rows. */
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import { rowOf } from '../gateway/platform/database/columns.ts'
import { executePrepared } from '../gateway/platform/database/in-transaction.ts'

/** A program's context, or one in a transaction. */
type WithDatabase<Tables> = { readonly database: { readonly query: Kysely<Tables> } }

export type RowTable<Tables> = Exclude<keyof Tables & string, 'clock'>
export type FindOptions<Row> = { readonly by?: keyof Row & string; readonly lock?: boolean }

/** The row with this id, or with this value of another unique column; `lock` holds it until the transaction ends. */
export async function findRow<Tables, Table extends RowTable<Tables>>(
  { database }: WithDatabase<Tables>,
  table: Table,
  value: string,
  { by, lock = false }: FindOptions<Tables[Table]> = {},
): Promise<Selectable<Tables[Table]> | undefined> {
  const statement = sql<Selectable<Tables[Table]>>`
    select * from ${sql.table(table)} where ${sql.ref(by ?? 'id')} = ${value} ${lock ? sql`for update` : sql``}`
  return (await executePrepared(database, statement)).rows[0]
}

export async function insertRow<Tables, Table extends RowTable<Tables>>(
  { database }: WithDatabase<Tables>,
  table: Table,
  row: Omit<Insertable<Tables[Table]>, 'position'>,
): Promise<Selectable<Tables[Table]>> {
  const columns = Object.entries(rowOf(row))
  return requireOne(
    await sql<Selectable<Tables[Table]>>`
      insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
      values (${sql.join(columns.map(([, value]) => value))}) returning *`.execute(database.query),
  )
}

export async function updateRow<Tables, Table extends RowTable<Tables>>(
  { database }: WithDatabase<Tables>,
  table: Table,
  { id }: { readonly id: string },
  change: Updateable<Tables[Table]>,
): Promise<Selectable<Tables[Table]>> {
  const assignments = Object.entries(rowOf(change)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  return requireOne(
    await sql<Selectable<Tables[Table]>>`
      update ${sql.table(table)} set ${sql.join(assignments)} where id = ${id} returning *`.execute(database.query),
  )
}

export function requireOne<Row>({ rows: [row] }: { readonly rows: readonly Row[] }): Row {
  if (row === undefined) {
    throw new Error('The statement returned no row')
  }
  return row
}
