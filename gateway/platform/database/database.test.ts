/** Tests the connection pool: what a server that ends connections affects, and what closing the pool ends. */
import { expect, it } from 'vitest'
import { expectLostConnectionReplaced } from '../../testing/database/expect-lost-connection-replaced.ts'
import { freshDatabase } from '../../testing/database/fresh-database.ts'
import { openDatabase } from './database.ts'

it('a connection that ends between two statements fails its next statement; the process and other connections continue', async () => {
  const fresh = await freshDatabase()
  const database = openDatabase({ ...fresh, applicationName: 'test', connectionsMax: 2 })
  await expectLostConnectionReplaced(database.pool)
  await database.close()
  await fresh.drop()
})

it('closing ends the connections of a pool on which Kysely has run no statement, and may be repeated', async () => {
  const fresh = await freshDatabase()
  const database = openDatabase({ ...fresh, applicationName: 'test', connectionsMax: 2 })
  await database.pool.query('select 1')
  await database.close()
  expect(database.pool.totalCount).toBe(0)
  await database.close()
  await fresh.drop()
})
