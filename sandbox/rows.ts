/** Queries that all tables of the sandbox's programs share: rows by their values, and new and changed rows. */
import {
  type Insertable,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { rowOf } from '../gateway/platform/database/columns.ts'
import { executePrepared } from '../gateway/platform/database/in-transaction.ts'

/** A program's context, or one in a transaction. */
type WithDatabase<Tables> = { readonly database: { readonly query: Kysely<Tables> } }

export type RowTable<Tables> = Exclude<keyof Tables & string, 'clock'>

export type SelectOptions<Row> = {
  readonly order?: readonly (keyof Row & string)[]
  readonly isDescending?: boolean
  readonly limit?: number
  readonly lock?: boolean
  /** Further conditions. */
  readonly where?: readonly RawBuilder<boolean>[]
}

/** The rows with these values; `lock` holds them until the transaction ends. */
export async function selectRows<Tables, Table extends RowTable<Tables>>(
  { database }: WithDatabase<Tables>,
  table: Table,
  values: Partial<Selectable<Tables[Table]>>,
  { order = [], isDescending = false, limit, lock = false, where = [] }: SelectOptions<Tables[Table]> = {},
): Promise<readonly Selectable<Tables[Table]>[]> {
  const equal = Object.entries(rowOf(values)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const sorting = order.map((name) => sql`${sql.ref(name)} ${isDescending ? sql`desc` : sql`asc`}`)
  const statement = sql<Selectable<Tables[Table]>>`
    select * from ${sql.table(table)} where ${sql.join([sql`true`, ...equal, ...where], sql` and `)}
    ${order.length === 0 ? sql`` : sql`order by ${sql.join(sorting)}`}
    ${limit === undefined ? sql`` : sql`limit ${limit}`} ${lock ? sql`for update` : sql``}`
  return (await executePrepared(database, statement)).rows
}

/** The row with these values; `lock` holds it until the transaction ends. */
export async function findRow<Tables, Table extends RowTable<Tables>>(
  { database }: WithDatabase<Tables>,
  table: Table,
  values: Partial<Selectable<Tables[Table]>>,
  options: Pick<SelectOptions<Tables[Table]>, 'lock'> = {},
): Promise<Selectable<Tables[Table]> | undefined> {
  const [row] = await selectRows({ database }, table, values, { ...options, limit: 1 })
  return row
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

/** Until the transaction ends, others that lock the same text wait: what one has read stays true until it has written. */
export async function lockText(
  { database }: { readonly database: { readonly query: QueryExecutorProvider } },
  text: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(database.query)
}

export function requireOne<Row>({ rows: [row] }: { readonly rows: readonly Row[] }): Row {
  if (row === undefined) {
    throw new Error('The statement returned no row')
  }
  return row
}
