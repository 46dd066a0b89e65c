/** Every query on reference rates and on the schedule of fetching them. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { ReferenceRates } from './ecb-rate-file.ts'

type Tables = {
  fx_reference_rates: TableOf<{ readonly day: Temporal.PlainDate; readonly fetchedAt: Temporal.Instant }> & {
    per_euro: ColumnType<unknown, string>
  }
  fx_reference_fetches: TableOf<{ readonly source: string; readonly dueAt: Temporal.Instant }>
}

const PerEuro = Type.Record(Type.String(), Type.String())
const SOURCE = 'ecb'

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function findLatestReferenceRates(database: Queryable): Promise<ReferenceRates | undefined> {
  const row = await tables(database)
    .selectFrom('fx_reference_rates')
    .select(['day', 'per_euro'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { day: row.day, perEuro: Value.Parse(PerEuro, row.per_euro) }
}

/** Inserts the rates of a day; rates already stored for it stay. */
export async function insertReferenceRates(
  database: Queryable,
  { day, perEuro }: ReferenceRates,
  fetchedAt: Temporal.Instant,
): Promise<void> {
  await tables(database)
    .insertInto('fx_reference_rates')
    .values(rowOf({ day, perEuro: JSON.stringify(perEuro), fetchedAt }))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function nextReferenceRateFetchAt(database: Queryable): Promise<Temporal.Instant | null> {
  const row = await tables(database)
    .selectFrom('fx_reference_fetches')
    .select('due_at')
    .where('source', '=', SOURCE)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/** Claims a due fetch and sets the time of the next one; false when none is due or another process claimed it. */
export async function claimReferenceRateFetch(
  database: Queryable,
  { now, next }: { readonly now: Temporal.Instant; readonly next: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('fx_reference_fetches')
    .set(rowOf({ dueAt: next }))
    .where('source', '=', SOURCE)
    .where('due_at', '<=', sql<Temporal.Instant>`${now.toString()}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function postponeReferenceRateFetch(database: Queryable, next: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_reference_fetches')
    .set(rowOf({ dueAt: next }))
    .where('source', '=', SOURCE)
    .execute()
}
