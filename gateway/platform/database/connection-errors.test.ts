/** Tests with real connections that the database being away is reported as that, and that no such connection is used again. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { forEachRow } from '../../testing/for-each-row.ts'
import { freePorts } from '../../testing/gateway/free-ports.ts'
import { UNKNOWN_HOST } from '../../testing/unknown-host.ts'
import { type Database, openDatabase } from './database.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { inTransaction } from './in-transaction.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

/** One connection, so that one that is used again would be seen. */
async function withDatabase(
  settings: { readonly connectionString?: string; readonly answerMilliseconds?: number },
  use: (database: Database<unknown>) => Promise<void>,
): Promise<void> {
  const given = { connectionString: fresh.connectionString, ...settings }
  const database = openDatabase({ ...given, applicationName: 'test', connectionsMax: 1 })
  await use(database).finally(() => database.close())
}

async function pidOf({ pool }: Database<unknown>): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

const END_OF_CONNECTION = 'select pg_terminate_backend(pg_backend_pid())'
const SILENCE = 'select pg_sleep(60)'
const READ_ONLY = 'set transaction_read_only = on; create table t ()'

/** Each executes a statement as a part of the program does. */
const WAYS = {
  alone: ({ pool }: Database<unknown>, text: string) => pool.query(text),
  'on a connection': async ({ pool }: Database<unknown>, text: string) => {
    const client = await pool.connect()
    await client.query(text).finally(() => client.release())
  },
  'of Kysely': ({ query }: Database<unknown>, text: string) => sql.raw(text).execute(query),
  'in a transaction': (database: Database<unknown>, text: string) =>
    inTransaction({ database }, ({ database: { query } }) => sql.raw(text).execute(query)),
}

test('a connection that is terminated, silent or read-only fails its statement as unavailable and is not used again', async () => {
  await forEachRow([END_OF_CONNECTION, SILENCE, READ_ONLY], String, (statement) =>
    forEachRow(
      Object.entries(WAYS),
      ([way]) => way,
      ([, execute]) =>
        withDatabase({ answerMilliseconds: 1_000 }, async (database) => {
          const before = await pidOf(database)
          await expect(execute(database, statement)).rejects.toBeInstanceOf(DatabaseUnavailable)
          expect(await pidOf(database)).not.toBe(before)
        }),
    ),
  )
})

test('a statement that fails for another reason is that error, and one that is in time leaves its connection', async () => {
  await withDatabase({ answerMilliseconds: 1_000 }, async (database) => {
    const before = await pidOf(database)
    await expect(sql`select 1/0`.execute(database.query)).rejects.toMatchObject({ code: '22012' })
    expect(await pidOf(database)).toBe(before)
  })
})

test('a server that does not listen or whose name is unknown is unavailable; an unknown database is not', async () => {
  const [port] = await freePorts(1)
  const away = [`postgres://a@127.0.0.1:${port}/a`, `postgres://a@${UNKNOWN_HOST}/a`]
  await forEachRow(away, String, (connectionString) =>
    forEachRow(
      Object.entries(WAYS),
      ([way]) => way,
      ([, execute]) =>
        withDatabase({ connectionString }, (database) =>
          expect(execute(database, 'select 1')).rejects.toBeInstanceOf(DatabaseUnavailable),
        ),
    ),
  )
  const missing = new URL(fresh.connectionString)
  missing.pathname = '/missing'
  await withDatabase({ connectionString: missing.href }, (database) =>
    expect(database.pool.query('select 1')).rejects.toMatchObject({ code: '3D000' }),
  )
})
