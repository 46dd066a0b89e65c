/** Every query on providers: the schedule of polling inbound funds, and the rate of cancelling conversions. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import { type Lease, takeLease } from '../../platform/jobs/lease.ts'

type Provider = Readonly<Record<'pollAt' | 'unwindPermitsUntil', Temporal.Instant>> &
  Readonly<Record<'fundsPolledTo' | 'polledAt' | 'leaseUntil', Temporal.Instant | null>>

type Tables = { fx_providers: TableOf<Provider & { readonly name: string }> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Inserts the row of a provider that has none. */
export async function ensureProvider(database: Queryable, name: string, real: Temporal.Instant): Promise<void> {
  await tables(database)
    .insertInto('fx_providers')
    .values(rowOf({ name, pollAt: real, unwindPermitsUntil: real }))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The statement that selects the time of the next poll, in wall time; a past one for a provider that was never polled. */
export function nextInboundFundsPollStatement(name: string): RawBuilder<{ readonly pollAt: Temporal.Instant }> {
  return sql`select coalesce((select poll_at from fx_providers where name = ${name}), 'epoch'::timestamptz) as "pollAt"`
}

type Period = Readonly<Record<'from' | 'to', Temporal.Instant>>

/**
 * Acquires the lease of a poll; false when another process holds it, and when none is due, or with a period, when a poll
 * ended in it.
 */
export async function claimInboundFundsPoll(
  database: Queryable,
  name: string,
  lease: Lease,
  recent?: Period,
): Promise<boolean> {
  const where =
    recent === undefined
      ? sql<boolean>`poll_at <= ${timestamp(lease.at)}`
      : sql<boolean>`(polled_at between ${timestamp(recent.from)} and ${timestamp(recent.to)}) is not true`
  return await takeLease(database, { table: 'fx_providers', key: { name } }, lease, { where })
}

/** Up to when inbound funds are recorded; null before the first poll. */
export async function findInboundFundsPolledTo(database: Queryable, name: string): Promise<Temporal.Instant | null> {
  const row = await tables(database)
    .selectFrom('fx_providers')
    .select('funds_polled_to')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.funds_polled_to ?? null
}

/** Sets the time of the next poll, and up to when a poll that has ended recorded inbound funds; releases the lease. */
export async function endInboundFundsPoll(
  database: Queryable,
  name: string,
  pollAt: Temporal.Instant,
  polled?: { readonly to: Temporal.Instant; readonly at: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('fx_providers')
    .set(rowOf({ pollAt, leaseUntil: null, ...(polled && { fundsPolledTo: polled.to, polledAt: polled.at }) }))
    .where('name', '=', name)
    .execute()
}

/** One permit every `everyMilliseconds`, and `atOnce` in a burst after a quiet time. */
export type SweepRate = { readonly everyMilliseconds: number; readonly atOnce: number }

/** Acquires up to `wanted` permits, which all processes share, and returns how many. */
export async function acquireSweepPermits(
  database: Queryable,
  name: string,
  { wanted, real, pace }: { readonly wanted: number; readonly real: Temporal.Instant; readonly pace: SweepRate },
): Promise<number> {
  const at = sql`${real.toString()}::timestamptz`
  const each = sql`(interval '1 millisecond' * ${pace.everyMilliseconds}::int)`
  const begins = sql`greatest(unwind_permits_until, ${at})`
  const latest = sql`(${at} + ${each} * ${pace.atOnce}::int)`
  const free = sql`floor(extract(epoch from ${latest} - ${begins}) / extract(epoch from ${each}))::int`
  const { rows } = await sql<{ taken: number }>`
    with before as (
      select name, ${begins} as begins, greatest(0, least(${wanted}::int, ${free})) as taken
      from fx_providers where name = ${name} for update)
    update fx_providers p set unwind_permits_until = before.begins + ${each} * before.taken
    from before where p.name = before.name
    returning before.taken`.execute(tables(database))
  return rows[0]?.taken ?? 0
}

/** Releases unused permits. */
export async function releaseSweepPermits(
  database: Queryable,
  name: string,
  { unused, pace }: { readonly unused: number; readonly pace: SweepRate },
): Promise<void> {
  await sql`
    update fx_providers set unwind_permits_until = unwind_permits_until - interval '1 millisecond' * ${pace.everyMilliseconds * unused}::int
    where name = ${name}`.execute(tables(database))
}
