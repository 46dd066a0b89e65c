/** Every query on what is kept of providers: how far what arrived has been read, and at which pace deals are undone. */
import { type ColumnType, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

type Tables = {
  fx_providers: {
    name: string
    receipts_taken_to: MaybeInstant
    look_at: Instant
    looked_at: MaybeInstant
    lease_until: MaybeInstant
    turns_until: Instant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Keeps a row for a provider that has none. */
export async function ensureProvider(database: Queryable, name: string, real: Temporal.Instant): Promise<void> {
  const at = real.toString()
  await tables(database)
    .insertInto('fx_providers')
    .values({ name, look_at: at, turns_until: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** When what arrived is looked at next, in wall time; null for a provider that nobody has asked yet. */
export async function findNextLook(database: Queryable, name: string): Promise<Temporal.Instant | null> {
  const row = await tables(database)
    .selectFrom('fx_providers')
    .select('look_at')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.look_at ?? null
}

/** Selects when that is. */
export function nextLookStatement(name: string): RawBuilder<unknown> {
  return sql`select look_at from fx_providers where name = ${name}`
}

/** Takes the lease of a look that is due; false while somebody else looks, or when it is not. */
export async function claimLook(
  database: Queryable,
  name: string,
  { real, leaseUntil }: { readonly real: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<boolean> {
  const at = real.toString()
  const { numUpdatedRows } = await tables(database)
    .updateTable('fx_providers')
    .set({ lease_until: leaseUntil.toString() })
    .where('name', '=', name)
    .where(sql<boolean>`look_at <= ${at}::timestamptz`)
    .where(sql<boolean>`(lease_until is null or lease_until < ${at}::timestamptz)`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Takes the lease of a look that is due or not; false while somebody else looks, or when the last one ended in that time. */
export async function claimFreshLook(
  database: Queryable,
  name: string,
  times: Readonly<Record<'real' | 'leaseUntil' | 'endedFrom' | 'endedTo', Temporal.Instant>>,
): Promise<boolean> {
  const [real, from, to] = [times.real.toString(), times.endedFrom.toString(), times.endedTo.toString()]
  const { numUpdatedRows } = await tables(database)
    .updateTable('fx_providers')
    .set({ lease_until: times.leaseUntil.toString() })
    .where('name', '=', name)
    .where(sql<boolean>`(looked_at between ${from}::timestamptz and ${to}::timestamptz) is not true`)
    .where(sql<boolean>`(lease_until is null or lease_until < ${real}::timestamptz)`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Up to when everything that arrived was taken; null when nothing was. */
export async function findTakenTo(database: Queryable, name: string): Promise<Temporal.Instant | null> {
  const row = await tables(database)
    .selectFrom('fx_providers')
    .select('receipts_taken_to')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.receipts_taken_to ?? null
}

/** Keeps up to when everything that arrived was taken, that this was found now, and when to look again; gives the lease back. */
export async function writeLooked(
  database: Queryable,
  name: string,
  { takenTo, lookAt, now }: Readonly<Record<'takenTo' | 'lookAt' | 'now', Temporal.Instant>>,
): Promise<void> {
  await tables(database)
    .updateTable('fx_providers')
    .set({
      receipts_taken_to: takenTo.toString(),
      look_at: lookAt.toString(),
      looked_at: now.toString(),
      lease_until: null,
    })
    .where('name', '=', name)
    .execute()
}

/** Has what arrived looked at later, and gives the lease back. */
export async function postponeLook(database: Queryable, name: string, lookAt: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_providers')
    .set({ look_at: lookAt.toString(), lease_until: null })
    .where('name', '=', name)
    .execute()
}

/** At which pace turns are given: one each `everyMilliseconds`, and so many at once after a quiet time. */
export type Pace = { readonly everyMilliseconds: number; readonly atOnce: number }

/** Takes up to `wanted` turns, and says how many there were; all processes share them. */
export async function takeTurns(
  database: Queryable,
  name: string,
  { wanted, real, pace }: { readonly wanted: number; readonly real: Temporal.Instant; readonly pace: Pace },
): Promise<number> {
  const at = sql`${real.toString()}::timestamptz`
  const each = sql`(interval '1 millisecond' * ${pace.everyMilliseconds}::int)`
  const begins = sql`greatest(turns_until, ${at})`
  const latest = sql`(${at} + ${each} * ${pace.atOnce}::int)`
  const free = sql`floor(extract(epoch from ${latest} - ${begins}) / extract(epoch from ${each}))::int`
  const { rows } = await sql<{ taken: number }>`
    with before as (
      select name, ${begins} as begins, greatest(0, least(${wanted}::int, ${free})) as taken
      from fx_providers where name = ${name} for update)
    update fx_providers p set turns_until = before.begins + ${each} * before.taken
    from before where p.name = before.name
    returning before.taken`.execute(tables(database))
  return rows[0]?.taken ?? 0
}

/** Gives back turns that nobody needed. */
export async function returnTurns(
  database: Queryable,
  name: string,
  { unused, pace }: { readonly unused: number; readonly pace: Pace },
): Promise<void> {
  await sql`
    update fx_providers set turns_until = turns_until - interval '1 millisecond' * ${pace.everyMilliseconds * unused}::int
    where name = ${name}`.execute(tables(database))
}
