/** Tests the database cost of an order: one shared statement, and no read of the day's other orders. */
import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../gateway/platform/database/database.ts'
import { migrate } from '../../../gateway/platform/database/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../../../gateway/testing/database/fresh-database.ts'
import type { Tables } from '../tables.ts'
import { createOrderInserter } from './order-inserter.ts'
import type { PaymentTable } from './payment.ts'
import { findDuplicatePayment, paymentById } from './payment-store.ts'

const SCHEMA = 'sandbox_bank'
const AT = '2026-11-23T09:00:00Z'

let fresh: FreshDatabase
let database: Database<Tables>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  await migrate(connectionString, new URL('../migrations/', import.meta.url), { schema: SCHEMA })
  database = openDatabase<Tables>({ connectionString, applicationName: 'test', connectionsMax: 1, schema: SCHEMA })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

function orderRow(amount: number): Insertable<PaymentTable> {
  return {
    id: randomUUID(),
    bank: 'MALBSESS',
    service: 'payments',
    product: 'domestic',
    body: JSON.stringify({ creditorName: 'Granskog Trä AB', text: 'it\'s "quoted" \\ here' }),
    debtor: '79901000017',
    rail: 'account',
    creditor: '79902000010',
    creditor_name: 'Granskog Trä AB',
    amount_minor: BigInt(amount),
    currency: 'SEK',
    message: 'Order 4711',
    reference: null,
    requested_on: '2026-11-23',
    execution_on: '2026-11-23',
    status: 'RCVD',
    last_visible: 'settled',
    lapsed: false,
    request_id: randomUUID(),
    created_at: AT,
    changed_at: AT,
    due_at: AT,
  }
}

test('concurrent orders share a statement; each is stored as it would be alone', async () => {
  const statements: unknown[] = []
  const query = (...of: Parameters<typeof database.pool.query>) => {
    statements.push(of)
    return database.pool.query(...of)
  }
  const insert = createOrderInserter({ pool: Object.assign(Object.create(database.pool), { query }) })
  const rows = Array.from({ length: 20 }, (_, n) => orderRow(n + 1))
  await Promise.all(rows.map(insert))
  // The first is sent at once; the others are collected meanwhile.
  expect(statements).toHaveLength(2)
  const [first] = rows
  expect(await paymentById({ database }, 'MALBSESS', first?.id ?? '')).toMatchObject({
    body: { creditorName: 'Granskog Trä AB', text: 'it\'s "quoted" \\ here' },
    amount_minor: 1n,
    script_step: null,
    bulk_size: null,
    signed_at: null,
  })
  expect(await database.query.selectFrom('payments').select('id').execute()).toHaveLength(rows.length)
})

test('an equal order of the day is found among thousands of others by an index', async () => {
  const insert = createOrderInserter(database)
  await Promise.all(Array.from({ length: 3_000 }, (_, n) => insert(orderRow(1_000 + n))))
  const before = await rowsRead()
  expect(await findDuplicatePayment({ database }, orderRow(2_000))).toMatchObject({ amount_minor: 2_000n })
  expect(await findDuplicatePayment({ database }, orderRow(999_999))).toBeUndefined()
  expect((await rowsRead()) - before).toBe(1n)
})

async function rowsRead(): Promise<bigint> {
  await database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await database.pool.query<{ read: bigint }>(
    `select (t.seq_tup_read + sum(i.idx_tup_read))::bigint as read
     from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
     where t.schemaname = $1 and t.relname = 'payments' group by t.seq_tup_read`,
    [SCHEMA],
  )
  return rows[0]?.read ?? 0n
}
