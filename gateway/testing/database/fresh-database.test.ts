/** Tests that test databases are migrated, isolated, and deleted when dropped. */
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from './fresh-database.ts'

async function query(connectionString: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

describe('freshDatabase', () => {
  it('gives each caller a migrated database of its own, also concurrently', async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, () => freshDatabase()))
    for (const [index, { connectionString }] of databases.entries()) {
      await query(connectionString, 'select number from migrations')
      await query(connectionString, `create table mine as select ${index} as owner`)
    }
    const owners = await Promise.all(databases.map((database) => query(database.connectionString, 'table mine')))
    expect(owners.flat()).toEqual(databases.map((_, owner) => ({ owner })))
    await Promise.all(databases.map((database) => database.drop()))
  })

  it('sorts texts by code point in UTF-8, in any locale of the machine', async () => {
    const database = await freshDatabase()
    const rows = await query(
      database.connectionString,
      `select current_setting('server_encoding') as encoding, array(select * from (values ('å'), ('Z'), ('a')) t order by 1) as sorted`,
    )
    expect(rows).toEqual([{ encoding: 'UTF8', sorted: ['Z', 'a', 'å'] }])
    await database.drop()
  })

  it('leaves nothing of a dropped database, even with open connections', async () => {
    const database = await freshDatabase()
    const connected = new pg.Client({ connectionString: database.connectionString })
    connected.on('error', () => undefined)
    await connected.connect()
    await database.drop()
    await expect(query(database.connectionString, 'select 1')).rejects.toThrow('does not exist')
    await connected.end()
  })
})
