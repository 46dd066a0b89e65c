/** Rate limiter that all processes share in the database, because the provider counts their calls together. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { wallMilliseconds } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  type CallRateLimiter,
  type RateLimitShare,
  rateLimitedError,
  rateLimitSharesOf,
  shareDuesAtPause,
} from './call-rate-limiter.ts'

/** For one provider. If the second of two limits rejects a call, the permit of the first one stays used. */
export function openSharedCallRateLimiter(
  database: Queryable,
  provider: string,
  {
    now = wallMilliseconds,
    wait = sleep,
  }: { readonly now?: () => number; readonly wait?: (milliseconds: number) => Promise<unknown> } = {},
): CallRateLimiter {
  const withProviderPrefix = <Named extends { readonly name: string }>(share: Named) => ({
    ...share,
    name: `${provider}/${share.name}`,
  })
  return {
    acquire: async (limits, urgency) => {
      let waits = 0
      for (const limit of limits) {
        waits = Math.max(
          waits,
          await waitFor(database, rateLimitSharesOf(limit, urgency).map(withProviderPrefix), now()),
        )
      }
      // No database connection is held while waiting.
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      const until = now() + seconds * 1000
      for (const { name, due } of limits.flatMap((limit) => shareDuesAtPause(limit, until)).map(withProviderPrefix)) {
        await postponeCallPermits(database, name, due)
      }
    },
  }
}

/** Acquires the first permit with a short enough wait, and returns the wait. Throws `rate-limited` if there is none. */
async function waitFor(database: Queryable, shares: readonly RateLimitShare[], now: number): Promise<number> {
  const waits: number[] = []
  for (const share of shares) {
    const due = await acquireCallPermit(database, { ...share, now })
    if (due !== undefined) {
      return due - share.interval - share.leeway - now
    }
    waits.push(((await findCallPermitDue(database, share.name)) ?? now) - share.leeway - now)
  }
  throw rateLimitedError(Math.min(...waits))
}

type Tables = { fx_call_rate_limits: { name: string; due_milliseconds: number } }

/** A share of a limit, and the time of the request in milliseconds since 1970. */
type CallPermitRequest = RateLimitShare & { readonly now: number }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Acquires a permit: returns the new due time of the share, or undefined when the wait would be too long. */
async function acquireCallPermit(
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
async function findCallPermitDue(database: Queryable, name: string): Promise<number | undefined> {
  const row = await tables(database)
    .selectFrom('fx_call_rate_limits')
    .select('due_milliseconds')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** Allows no permit before `due`; never moves it to an earlier time. */
async function postponeCallPermits(database: Queryable, name: string, due: number): Promise<void> {
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
