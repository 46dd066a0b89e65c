/** Queries on rows that each belong to a partner: one by its id, and pages of them, of one partner or of all for operators. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { allOf, timestamp } from '../platform/database/sql-fragments.ts'
import { isId } from '../platform/ids.ts'

/** The partners, called `o`, with their ids and names, for lists over several of them: the table that all others are keyed by. */
export const PARTNERS: RawBuilder<unknown> = sql`(select id, name from partners) o`

/** The condition on `PARTNERS` of those that a caller may see; null sees all of them. */
export function partnerListFilter(partnerId: string | null): RawBuilder<SqlBool> {
  return partnerId === null ? sql<SqlBool>`true` : sql<SqlBool>`o.id = ${partnerId}::uuid`
}

/** Rows of a table with `partner_id` and `id`, as their module describes them to operators. */
export type PartnerRows = {
  readonly table: string
  /** What one of them is called in errors. */
  readonly noun: string
  /** Which rows of the table they are; all without it. */
  readonly where?: RawBuilder<unknown>
  /** By what readers recognise a row, as text. */
  readonly label?: RawBuilder<unknown>
}

/** The key of a row, and its partner's name. */
export type PartnerRow = { readonly partnerId: string; readonly id: string; readonly partnerName: string }

/** The row with this id; undefined for one of a foreign partner, and for a text that is no id. Null sees all partners. */
export async function findPartnerRow(
  { query }: Queryable,
  rows: PartnerRows,
  partnerId: string | null,
  id: string,
): Promise<PartnerRow | undefined> {
  if (!isId(id)) {
    return undefined
  }
  const found = await sql<PartnerRow>`
    select o.id as "partnerId", o.name as "partnerName", x.id from ${PARTNERS}, lateral (
      select id ${rowWithId(rows, id)}) x
    where ${partnerListFilter(partnerId)}`.execute(query)
  return found.rows[0]
}

/** The row of `PARTNERS` with this id: what follows the columns of a `select`. */
export function rowWithId({ table, where = sql`true` }: PartnerRows, id: string): RawBuilder<unknown> {
  return sql`from ${sql.table(table)} where partner_id = o.id and id = ${id}::uuid and ${where}`
}

/** The time and id of the last row of a page: the next page begins after it. */
export type ListPosition = { readonly createdAt: Temporal.Instant; readonly id: string }

/** When rows were created, and after which one of them a page begins. */
export type CreatedFilter = {
  readonly createdFrom: Temporal.Instant | undefined
  readonly createdBefore: Temporal.Instant | undefined
  readonly after: ListPosition | undefined
}

export function isCreatedWithin({ createdFrom, createdBefore, after }: CreatedFilter): RawBuilder<SqlBool> {
  return allOf(
    sql`true`,
    createdFrom !== undefined && sql`created_at >= ${timestamp(createdFrom)}`,
    createdBefore !== undefined && sql`created_at < ${timestamp(createdBefore)}`,
    after !== undefined && sql`(created_at, id) < (${timestamp(after.createdAt)}, ${after.id}::uuid)`,
  )
}

/**
 * A page of rows `t`, newest first: of each partner it reads at most a page in the order of an index; partners are few.
 * `ofPartner` selects that of one.
 */
export function newestRowsQuery<Row>(
  columns: RawBuilder<unknown>,
  ofPartner: RawBuilder<unknown>,
  { partnerId, limit }: { readonly partnerId: string | null; readonly limit: number },
): RawBuilder<Row> {
  return sql<Row>`
    select ${columns} from ${PARTNERS}, lateral (${ofPartner}) t
    where ${partnerListFilter(partnerId)}
    order by t.created_at desc, t.id desc limit ${limit}`
}

/** The order of the index of each table that is listed. */
export const newestFirst = (limit: number): RawBuilder<unknown> => sql`order by created_at desc, id desc limit ${limit}`

/** What waits, and the first time at which something is due; null for nothing. */
export type Waiting = { readonly count: number; readonly first: Temporal.Instant | null }

/** Counts what `ofPartner` finds for each partner, and the first of its times, which are called `at`. */
export async function countWaiting(
  { query }: Queryable,
  partnerId: string | null,
  ofPartner: RawBuilder<unknown>,
): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select count(*)::int as count, min(r.at) as first from ${PARTNERS}, lateral (${ofPartner}) r
    where ${partnerListFilter(partnerId)}`.execute(query)
  return rows[0] ?? { count: 0, first: null }
}

/** How many rows the counts of a page may read. */
export const COUNTED_ROWS = { max: 10_000, min: 20 } as const

/** How many rows of each partner a query may read, of those of all partners together; of each of many at least `min`. */
export async function readableOfEachPartner(
  { query }: Queryable,
  partnerId: string | null,
  { max, min }: { readonly max: number; readonly min: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${PARTNERS} where ${partnerListFilter(partnerId)}`.execute(query)
  return Math.max(min, Math.floor(max / Math.max(1, rows[0]?.count ?? 1)))
}
