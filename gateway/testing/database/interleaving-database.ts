/** A database that runs an action once before the first statement of a kind, to test interleavings. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'

/** Uses the pool of a real database; `act` runs before the first statement that matches `kind`. */
export function interleavingDatabase(pool: pg.Pool, kind: RegExp, act: () => Promise<unknown>): Database<unknown> {
  let isDone = false
  const interrupt = async (text: string) => {
    if (!isDone && kind.test(text)) {
      isDone = true
      await act()
    }
  }
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') {
          return async (text: string, values?: unknown[]) => {
            await interrupt(text)
            return await target.query(text, values)
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
