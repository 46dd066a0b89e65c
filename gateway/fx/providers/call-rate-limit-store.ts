/** Every query on the shared rate limit of calls to FX providers. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { RateLimitShare } from './call-rate-limiter.ts'

type Tables = { fx_call_rate_limits: { name: string; due_milliseconds: number } }

/** A share of a limit, and the time of the request in milliseconds since 1970. */
export type CallPermitRequest = RateLimitShare & { readonly now: number }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Acquires a permit: returns the new due time of the share, or undefined when the wait would be too long. */
export async function acquireCallPermit(
  database: Queryable,
  { name, now, interval, leeway, waitMax }: CallPermitRequest,
): Promise<number | undefined> {
  const begins = sql<number>`greatest(${now}::float8, fx_call_rate_limits.due_milliseconds - ${leeway}::float8)`
  const row = await tables(database)
    .insertInto('fx_call_rate_limits')
    .values({ name, due_milliseconds: now + interval })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          due_milliseconds: sql<number>`greatest(fx_call_rate_limits.due_milliseconds, ${begins}) + ${interval}::float8`,
        })
        .where(begins, '<=', now + waitMax),
    )
    .returning('due_milliseconds')
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** The due time of a share; undefined before its first permit. */
export async function findCallPermitDue(database: Queryable, name: string): Promise<number | undefined> {
  const row = await tables(database)
    .selectFrom('fx_call_rate_limits')
    .select('due_milliseconds')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** Allows no permit before `due`; never moves it to an earlier time. */
export async function postponeCallPermits(database: Queryable, name: string, due: number): Promise<void> {
  await tables(database)
    .insertInto('fx_call_rate_limits')
    .values({ name, due_milliseconds: due })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        due_milliseconds: sql<number>`greatest(fx_call_rate_limits.due_milliseconds, ${due}::float8)`,
      }),
    )
    .execute()
}
