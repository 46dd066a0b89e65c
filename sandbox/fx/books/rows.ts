/** Rows that a call of the provider's API names by their id, and lists of rows in pages. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type RowTable, requireOne, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { OperationCall, Parameters } from '../protocol/operation-call.ts'
import type { Page } from '../protocol/pagination.ts'
import { notFound } from '../protocol/provider-api-error.ts'
import type { Tables } from '../tables.ts'

export const EVERY_ROW: Page = { number: 1, size: Number.MAX_SAFE_INTEGER, isDescending: false }

/** The row that a call names by its id. Throws the provider's error for the noun. */
export async function requireRow<Table extends RowTable<Tables>>(
  { context, parameters }: OperationCall,
  table: Table,
  noun: string,
  options: { readonly lock?: boolean } = {},
): Promise<Selectable<Tables[Table]>> {
  const where = [sql<boolean>`id = ${parameters['id'] ?? ''}`]
  const [row] = await selectRows<Tables, Table>(context, table, {}, { ...options, where })
  if (row === undefined) {
    throw notFound(noun)
  }
  return row
}

/** A page of the rows that meet the conditions, in the order of the columns, and the number of all such rows. */
export async function listRows<Table extends RowTable<Tables>>(
  { database: { query } }: Context,
  table: Table,
  { number, size, isDescending }: Page,
  conditions: readonly RawBuilder<boolean>[] = [],
  order: readonly string[] = ['position'],
): Promise<{ readonly rows: readonly Tables[Table][]; readonly total: number }> {
  const matching = sql`from ${sql.table(table)} where ${sql.join([sql`true`, ...conditions], sql` and `)}`
  const sorting = order.map((name) => sql`${sql.ref(name)} ${isDescending ? sql`desc` : sql`asc`}`)
  const { rows } = await sql<Tables[Table]>`
    select * ${matching} order by ${sql.join(sorting)} offset ${(number - 1) * size} limit ${size}`.execute(query)
  const { total } = requireOne(await sql<{ total: bigint }>`select count(*) as total ${matching}`.execute(query))
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
