/** Tests that rows are copied as they are, all or none, and that a failure leaves the connection usable. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { copyLine, copyRows } from './buffered-writer.ts'
import { type Database, openDatabase } from './database.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const settings = { connectionString: fresh.connectionString, applicationName: 'copy', connectionsMax: 1 }
  database = openDatabase(settings)
  await database.pool.query('create table copied (id int primary key, text text, texts text[], flag boolean)')
  await database.pool.query('create table beside (copies int)')
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const target = (columns: readonly string[]) => ({
  table: 'copied',
  columns,
  before: 'insert into beside values (1)',
})
const counts = async () => {
  const { rows } = await database.pool.query(
    'select (select count(*)::int from copied) as copied, (select count(*)::int from beside) as beside',
  )
  return rows[0]
}

test('texts of any characters, lists and nulls are stored as they are', async () => {
  const texts = ['tab\t, line\n, return\r, back\\slash, quote", {brace}', '\\N', '', 'NULL', '€ ø 👍']
  const lines = texts.map((text, id) => copyLine([id, text, [text, 'NULL'], id === 0]))
  await copyRows(database, target(['id', 'text', 'texts', 'flag']), [...lines, copyLine([9, null, null, false])])
  const { rows } = await database.pool.query('select * from copied order by id')
  expect(rows).toEqual([
    ...texts.map((text, id) => ({ id, text, texts: [text, 'NULL'], flag: id === 0 })),
    { id: 9, text: null, texts: null, flag: false },
  ])
})

test('a row that cannot be stored leaves none, and the next rows are stored on the same connection', async () => {
  const before = await counts()
  const copy = (...ids: readonly number[]) =>
    copyRows(
      database,
      target(['id']),
      ids.map((id) => copyLine([id])),
    )
  await expect(copy(20, 20)).rejects.toMatchObject({ code: '23505' })
  await expect(copyRows(database, target(['nothing']), [copyLine([1])])).rejects.toMatchObject({ code: '42703' })
  expect(await counts()).toEqual(before)
  await copy(21, 22)
  expect(await counts()).toEqual({ copied: before.copied + 2, beside: before.beside + 1 })
})

test('a connection that ends or is read-only fails its rows as unavailable, and is not used again', async () => {
  const pid = async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  for (const before of [
    'do $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$',
    'set local transaction_read_only = on',
  ]) {
    const earlier = await pid()
    const copying = copyRows(database, { ...target(['id']), before }, [copyLine([30])])
    await expect(copying, before).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await pid(), before).not.toBe(earlier)
  }
})
