/** A database that calls a function before each statement that is executed through its query builder. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'

/** Uses the pool of a real database; a statement waits for `before`, and fails with it. */
export function observedDatabase(
  pool: pg.Pool,
  before: (text: string, values: readonly unknown[]) => unknown,
): Database<unknown> {
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') {
          return async (statement: string | pg.QueryConfig, values?: unknown[]) => {
            // A prepared statement has a name as well.
            await before(typeof statement === 'string' ? statement : statement.text, values ?? [])
            return await target.query(statement, values)
          }
        }
        return name === 'release' ? () => target.release() : Reflect.get(target, name)
      },
    })
  }
  const query = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => undefined, options: pool.options } }),
  })
  return { pool, query, close: () => query.destroy() }
}
