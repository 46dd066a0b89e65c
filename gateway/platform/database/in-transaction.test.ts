/** Tests the context that work in a transaction gets. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { programContext } from '../../testing/gateway/test-context.ts'
import type { ProgramContext } from '../program-context.ts'
import { openDatabase } from './database.ts'
import { inTransaction } from './in-transaction.ts'

let fresh: FreshDatabase
let context: ProgramContext
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  context = programContext(openDatabase({ connectionString, applicationName: 'test', connectionsMax: 2 }))
  await sql`create table written (value int)`.execute(context.database.query)
})
afterAll(async () => {
  await context.database.close()
  await fresh.drop()
})

const write = ({ database }: ProgramContext) => sql`insert into written values (1)`.execute(database.query)
const count = async () => (await sql`select from written`.execute(context.database.query)).rows.length

test('work in a transaction has the same context on the connection of the transaction, also when it is nested', async () => {
  const failing = inTransaction(context, async (within) => {
    expect(within).toMatchObject({ clock: context.clock, log: context.log })
    await write(within)
    await inTransaction(within, write)
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await count()).toBe(0)
  await inTransaction(context, (within) => inTransaction(within, write))
  expect(await count()).toBe(1)
})

test('a statement of the pool in a transaction is an error, because it would not be part of it', async () => {
  const escaping = inTransaction(context, async ({ database }) => await database.pool.query('select 1'))
  await expect(escaping).rejects.toThrow('would not be part of the transaction')
})
