/** Simulates a crash after a number of statements: nothing more is executed, and open transactions are rolled back. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'

/** Thrown where the process would have ended; like SQLSTATE 28000, it is never retried. */
export class DatabaseCrash extends Error {
  readonly code = '28000'
}

/** How many statements are still executed, and whether the answer of the last one is lost. */
export type CrashAfter = { readonly statements: number; readonly answerLost: boolean }

export type CrashingDatabase = Database<unknown> & {
  /** Limits the remaining statements; null removes the limit. */
  live(left: CrashAfter | null): void
}

/** Uses the pool of a real database. */
export function crashingDatabase(pool: pg.Pool): CrashingDatabase {
  let left: CrashAfter | null = null
  const spend = async <Answer>(execute: () => Promise<Answer>): Promise<Answer> => {
    if (left === null) {
      return await execute()
    }
    if (left.statements <= 0) {
      throw new DatabaseCrash('The process died before this statement')
    }
    left = { ...left, statements: left.statements - 1 }
    const diesNow = left.statements === 0 && left.answerLost
    const answer = await execute()
    if (diesNow) {
      throw new DatabaseCrash('The process died before it read the answer')
    }
    return answer
  }
  const connect = async (): Promise<PostgresPoolClient> => crashingClient(await pool.connect(), spend)
  const mortalPool = new Proxy(pool, {
    get: (target, name) => {
      if (name === 'query') {
        return (text: string, values?: unknown[]) => spend(() => target.query(text, values))
      }
      return name === 'connect' ? connect : Reflect.get(target, name)
    },
  })
  const query = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => undefined, options: pool.options } }),
  })
  return {
    pool: mortalPool,
    query,
    close: () => query.destroy(),
    live: (wanted) => {
      left = wanted
    },
  }
}

type Spend = <Answer>(execute: () => Promise<Answer>) => Promise<Answer>

function crashingClient(client: pg.PoolClient, spend: Spend): PostgresPoolClient {
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'query') {
        return (text: string, values?: unknown[]) => spend(() => target.query(text, values))
      }
      if (name === 'release') {
        return () => void target.query('rollback').finally(() => target.release())
      }
      return Reflect.get(target, name)
    },
  })
}
