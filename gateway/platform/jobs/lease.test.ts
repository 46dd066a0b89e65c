/** Tests leases of rows in PostgreSQL. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { programContext } from '../../testing/gateway/test-context.ts'
import { openDatabase } from '../database/database.ts'
import type { ProgramContext } from '../program-context.ts'
import { type Lease, leaseFor, releaseLease, takeLease } from './lease.ts'

const ROW = { table: 'leased', key: { id: 1, kind: 'order' }, column: 'work_lease_until' }

let fresh: FreshDatabase
let context: ProgramContext
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  context = programContext(openDatabase({ connectionString, applicationName: 'test', connectionsMax: 4 }))
  await sql`create table leased (id int, kind text, state text, work_lease_until timestamptz, primary key (id, kind))`.execute(
    context.database.query,
  )
})
beforeEach(async () => {
  await sql`truncate leased`.execute(context.database.query)
  await sql`insert into leased values (1, 'order', 'open', null), (1, 'file', 'open', null)`.execute(
    context.database.query,
  )
})
afterAll(async () => {
  await context.database.close()
  await fresh.drop()
})

const take = (lease: Lease) => takeLease(context.database, ROW, lease)
const lease = () => leaseFor(context, { minutes: 1 })
const after = ({ until }: Lease): Lease => ({ at: until.add({ seconds: 1 }), until: until.add({ minutes: 1 }) })

test('one of many processes takes a lease; it is free again when it is over', async () => {
  const first = lease()
  const taken = await Promise.all(Array.from({ length: 4 }, () => take(first)))
  expect(taken.filter(Boolean)).toEqual([true])
  expect(await take(first)).toBe(false)
  expect(await take(after(first))).toBe(true)
})

test('a lease is taken only where its condition holds, with what is written alongside', async () => {
  const where = sql<boolean>`state = 'closed'`
  expect(await takeLease(context.database, ROW, lease(), { where })).toBe(false)
  expect(await takeLease(context.database, ROW, lease(), { set: { state: 'closed' } })).toBe(true)
  const { rows } =
    await sql`select kind, state, work_lease_until is not null as leased from leased order by kind`.execute(
      context.database.query,
    )
  expect(rows).toEqual([
    { kind: 'file', state: 'open', leased: false },
    { kind: 'order', state: 'closed', leased: true },
  ])
})

test('a process whose lease was over releases none of its successor', async () => {
  const first = lease()
  const second = after(first)
  await take(first)
  await take(second)
  await releaseLease(context.database, ROW, { held: first })
  expect(await take(second)).toBe(false)
  await releaseLease(context.database, ROW, { held: second })
  expect(await take(second)).toBe(true)
})
