/** Guarantees of the tour: every lane comes up in its turn, however many there are, whosever they are, and none in vain. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import type { DeliveryQueue } from './delivery-queue-store.ts'
import { openRoundRobinQueueScan } from './round-robin-queue-scan.ts'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 2 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(async () => {
  await database.pool.query('delete from webhook_deliveries')
})

const partner = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`

/** Partners with so many lanes each, and as many deliveries in each lane. */
async function enqueue(partners: readonly number[], queues: number, deliveries = 1): Promise<void> {
  await database.pool.query(
    `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
       body, status, ready, due_at, created_at)
     select p, gen_random_uuid(), gen_random_uuid(), 1, 'https://' || lpad(l::text, 5, '0') || '.example',
       gen_random_uuid(), 'webhook.test', '{}', 'Queued', true, now(), now()
     from unnest($1::uuid[]) p, generate_series(1, $2) l, generate_series(1, $3) d`,
    [partners.map(partner), queues, deliveries],
  )
}

const keyOf = ({ partnerId, origin }: DeliveryQueue) => `${partnerId} ${origin}`
const owners = (queues: readonly DeliveryQueue[]) => new Set(queues.map(({ partnerId }) => partnerId))

test('a partner with more lanes than fit into a look leaves room to every other', async () => {
  await enqueue([1], 1_200)
  await enqueue([2], 1)
  const scan = openRoundRobinQueueScan(database, 1_000)
  const [first, second, third] = [await scan.nextBatch(), await scan.nextBatch(), await scan.nextBatch()]
  for (const nextBatch of [first, second]) {
    expect(nextBatch.length).toBeLessThanOrEqual(1_000)
    expect(owners(nextBatch)).toEqual(new Set([partner(1), partner(2)]))
  }
  expect(new Set([...first, ...second, ...third].map(keyOf)).size).toBe(1_201)
})

test('more partners than fit into a look come up one after the other, and the first ones again', async () => {
  await enqueue(
    Array.from({ length: 1_100 }, (_, index) => index + 1),
    1,
  )
  const scan = openRoundRobinQueueScan(database, 1_000)
  const [first, second, third] = [await scan.nextBatch(), await scan.nextBatch(), await scan.nextBatch()]
  expect([first.length, second.length, third.length]).toEqual([1_000, 100, 1_000])
  expect(owners([...first, ...second]).size).toBe(1_100)
  expect(third).toEqual(first)
})

test('any number of partners with any number of lanes: none is left out of a round', async () => {
  for (const [number, queues] of [3, 17, 1, 9, 30].entries()) {
    await enqueue([number + 1], queues)
  }
  const scan = openRoundRobinQueueScan(database, 4)
  const seen = new Set<string>()
  for (let nextBatch = 0; nextBatch < 70; nextBatch += 1) {
    const queues = await scan.nextBatch()
    expect(queues.length).toBeGreaterThan(0)
    expect(queues.length).toBeLessThanOrEqual(4)
    queues.forEach((queue) => void seen.add(keyOf(queue)))
  }
  expect(seen.size).toBe(60)
})

test('a lane in which only tests of endpoints are under way is passed over until their leases are over', async () => {
  await enqueue([1], 2)
  const scan = openRoundRobinQueueScan(database)
  const [one, other] = await scan.nextBatch()
  const lease = (seconds: number) =>
    database.pool.query(
      `update webhook_deliveries set lease_until = now() + $1 * interval '1 second' where origin = $2`,
      [seconds, one?.origin],
    )
  await lease(30)
  expect(await scan.nextBatch()).toEqual([other])
  await lease(-1)
  expect(await scan.nextBatch()).toEqual([one, other])
})

test('what is ready is found by its own index, however much has been delivered', async () => {
  await enqueue([1], 3, 500)
  await enqueue([2], 3, 500)
  await database.pool.query('analyze webhook_deliveries')
  await database.pool.query(`update webhook_deliveries set ready = false where partner_id = $1`, [partner(1)])
  const queues = await openRoundRobinQueueScan(database).nextBatch()
  expect(owners(queues)).toEqual(new Set([partner(2)]))
  expect(await openRoundRobinQueueScan(database).nextBatch()).toHaveLength(3)
})
