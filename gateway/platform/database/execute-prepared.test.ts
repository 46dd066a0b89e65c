/** Tests that prepared statements are planned once for each connection and take part in transactions. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { type Database, openDatabase } from './database.ts'
import { executePrepared, inTransaction } from './in-transaction.ts'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
  await database.pool.query('create table notes (id int primary key)')
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const insert = (id: number) => sql<{ id: number }>`insert into notes (id) values (${id}) returning id`

test('one text is prepared once, whatever its parameters', async () => {
  expect((await executePrepared(database, insert(1))).rows).toEqual([{ id: 1 }])
  expect((await executePrepared(database, insert(2))).rows).toEqual([{ id: 2 }])
  const { rows } = await database.pool.query(
    `select generic_plans + custom_plans as executions from pg_prepared_statements where statement like 'insert into notes%'`,
  )
  expect(rows).toEqual([{ executions: 2n }])
})

test('a failed transaction rolls back what its prepared statements wrote', async () => {
  const failing = inTransaction({ database }, async ({ database: transaction }) => {
    await executePrepared(transaction, insert(3))
    await executePrepared(transaction, insert(1))
  })
  await expect(failing).rejects.toThrow('duplicate key')
  const { rows } = await database.pool.query('select count(*)::int as count from notes where id = 3')
  expect(rows).toEqual([{ count: 0 }])
})
