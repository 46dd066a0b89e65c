/** A database whose user dies after so many statements: from then on nothing is executed, and what was open is rolled back. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'

/** Thrown where a process would have ended; nobody tries again after it, as after SQLSTATE 28000. */
export class Death extends Error {
  readonly code = '28000'
}

/** How many statements are still executed, and whether the answer of the last one is lost on the way. */
export type LifeLeft = { readonly statements: number; readonly answerLost: boolean }

export type MortalDatabase = Database<unknown> & {
  /** Limits what may still happen; null is for ever. */
  live(left: LifeLeft | null): void
}

/** Shares the pool of a database that lives on. */
export function mortalDatabase(pool: pg.Pool): MortalDatabase {
  let left: LifeLeft | null = null
  const spend = async <Answer>(execute: () => Promise<Answer>): Promise<Answer> => {
    if (left === null) {
      return await execute()
    }
    if (left.statements <= 0) {
      throw new Death('The process died before this statement')
    }
    left = { ...left, statements: left.statements - 1 }
    const diesNow = left.statements === 0 && left.answerLost
    const answer = await execute()
    if (diesNow) {
      throw new Death('The process died before it read the answer')
    }
    return answer
  }
  const connect = async (): Promise<PostgresPoolClient> => mortalClient(await pool.connect(), spend)
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

function mortalClient(client: pg.PoolClient, spend: Spend): PostgresPoolClient {
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
