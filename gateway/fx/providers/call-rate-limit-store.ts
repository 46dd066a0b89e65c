/** Every query on the turns of calls to providers, which all our processes take together. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Share } from './call-rate-limiter.ts'

type Tables = { fx_call_turns: { name: string; due_milliseconds: number } }

/** One share of a limit, and the moment at which a turn in it is asked for, in milliseconds since 1970. */
export type TurnAsked = Share & { readonly now: number }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Takes a turn: what the share keeps from then on, or undefined when none comes soon enough. */
export async function takeTurn(
  database: Queryable,
  { name, now, interval, leeway, waitMax }: TurnAsked,
): Promise<number | undefined> {
  const begins = sql<number>`greatest(${now}::float8, fx_call_turns.due_milliseconds - ${leeway}::float8)`
  const row = await tables(database)
    .insertInto('fx_call_turns')
    .values({ name, due_milliseconds: now + interval })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          due_milliseconds: sql<number>`greatest(fx_call_turns.due_milliseconds, ${begins}) + ${interval}::float8`,
        })
        .where(begins, '<=', now + waitMax),
    )
    .returning('due_milliseconds')
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** What a share keeps; undefined before its first turn. */
export async function turnsDue(database: Queryable, name: string): Promise<number | undefined> {
  const row = await tables(database)
    .selectFrom('fx_call_turns')
    .select('due_milliseconds')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** Lets no turn come before; never sooner than it was. */
export async function putOffTurns(database: Queryable, name: string, due: number): Promise<void> {
  await tables(database)
    .insertInto('fx_call_turns')
    .values({ name, due_milliseconds: due })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        due_milliseconds: sql<number>`greatest(fx_call_turns.due_milliseconds, ${due}::float8)`,
      }),
    )
    .execute()
}
