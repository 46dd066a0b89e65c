/** Guarantees of lanes: one worker has each at a time, it takes everything once and in order, and none is lost with a worker. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import type { ReadyDelivery } from './delivery-queue-store.ts'
import { openQueueLeases, type QueueLeases } from './queue-leases.ts'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 12 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(async () => {
  await database.pool.query('delete from webhook_deliveries')
  await database.pool.query('delete from webhook_queue_leases')
})

const PARTNER = '00000000-0000-0000-0000-000000000001'
const ORIGIN = 'https://one.example'
const ELSEWHERE = 'https://two.example'
/** On a machine that runs other tests besides. */
const QUICK_MILLISECONDS = 300

/** So many deliveries, one after the other; ids say nothing of the order. Answers the ids. */
async function enqueue(count: number, origin = ORIGIN): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
       subject_id, body, status, ready, due_at, created_at)
     select $1, gen_random_uuid(), gen_random_uuid(), 1, $2, gen_random_uuid(), 'x', gen_random_uuid(), '{}', 'Queued',
       true, now(), now()
     from generate_series(1, $3::int)
     returning id`,
    [PARTNER, origin, count],
  )
  return rows.map(({ id }) => id)
}

const queue = (origin = ORIGIN) => ({ partnerId: PARTNER, origin })
const take = (worker: QueueLeases, count = 100, origin = ORIGIN) =>
  worker.claimFrom([{ ...queue(origin), take: count }])
const idsOf = (taken: readonly ReadyDelivery[]) => taken.map(({ id }) => id)
const endHolds = () => database.pool.query(`update webhook_queue_leases set lease_until = now() - interval '1 second'`)

function present(delivery: ReadyDelivery | undefined): ReadyDelivery {
  if (delivery === undefined) {
    throw new Error('Nothing was taken')
  }
  return delivery
}

async function done(worker: QueueLeases, delivery: ReadyDelivery | undefined): Promise<void> {
  await database.pool.query('update webhook_deliveries set ready = false where id = $1', [delivery?.id])
  if (delivery !== undefined) {
    worker.releaseDelivery(delivery, 'made')
  }
}

test('what is taken is taken in the order in which it was queued, and once', async () => {
  const ids = await enqueue(5)
  const worker = openQueueLeases(database)
  expect(idsOf(await take(worker, 2))).toEqual(ids.slice(0, 2))
  expect(idsOf(await take(worker, 2))).toEqual(ids.slice(2, 4))
  expect(idsOf(await take(worker))).toEqual(ids.slice(4))
  expect(await take(worker)).toEqual([])
})

test('a lane that one worker has gives nothing to another, and other lanes do', async () => {
  await enqueue(2)
  const [only] = await enqueue(1, ELSEWHERE)
  const [one, other] = [openQueueLeases(database), openQueueLeases(database)]
  expect(await take(one, 1)).toHaveLength(1)
  expect(await take(other)).toEqual([])
  expect([other.mayAcquire(queue()), other.mayAcquire(queue(ELSEWHERE))]).toEqual([false, true])
  expect(idsOf(await take(other, 1, ELSEWHERE))).toEqual([only])
})

test('a lane has more as long as readings bring all that was asked for, and it is held', async () => {
  await enqueue(3)
  const worker = openQueueLeases(database)
  expect(worker.queuesWithMore()).toEqual([])
  const [first] = await take(worker, 1)
  expect(worker.queuesWithMore()).toEqual([queue()])
  await take(worker, 2)
  expect(worker.queuesWithMore()).toEqual([queue()])
  expect(await take(worker, 1)).toEqual([])
  expect(worker.queuesWithMore()).toEqual([])
  await enqueue(1)
  await take(worker, 1)
  expect(worker.queuesWithMore()).toEqual([queue()])
  await done(worker, first)
  await endHolds()
  expect(await take(openQueueLeases(database), 1)).toHaveLength(1)
  await worker.renew()
  expect(worker.queuesWithMore()).toEqual([])
})

test('a lane is left only when nothing of it is in hand', async () => {
  const ids = await enqueue(2)
  const [one, other] = [openQueueLeases(database), openQueueLeases(database)]
  const [first] = await take(one, 1)
  await one.releaseIdleLeases()
  expect(await take(other)).toEqual([])
  await done(one, first)
  await one.releaseIdleLeases()
  expect(idsOf(await take(other))).toEqual([ids[1]])
})

test('of several lanes those are left that are named', async () => {
  await enqueue(1)
  await enqueue(1, ELSEWHERE)
  const worker = openQueueLeases(database)
  await done(worker, (await take(worker))[0])
  await done(worker, (await take(worker, 1, ELSEWHERE))[0])
  await worker.releaseIdleLeases([queue()])
  const { rows } = await database.pool.query('select origin from webhook_queue_leases')
  expect(rows).toEqual([{ origin: ELSEWHERE }])
})

test('a worker that is not heard of loses its lanes, with all that it had in hand', async () => {
  const ids = await enqueue(2)
  const [dead, other] = [openQueueLeases(database), openQueueLeases(database)]
  await take(dead, 1)
  await endHolds()
  expect(idsOf(await take(other))).toEqual(ids)
})

test('a worker that says that it lives keeps the lanes of what is in its hands', async () => {
  await enqueue(1)
  await enqueue(1, ELSEWHERE)
  const [one, other] = [openQueueLeases(database), openQueueLeases(database)]
  await take(one)
  await done(one, (await take(one, 1, ELSEWHERE))[0])
  await endHolds()
  await one.renew()
  await enqueue(1)
  const [late] = await enqueue(1, ELSEWHERE)
  expect(await take(other)).toEqual([])
  expect(idsOf(await take(other, 1, ELSEWHERE))).toEqual([late])
})

test('a lane goes by the database’s clock, and is kept for some seconds', async () => {
  await enqueue(1)
  await take(openQueueLeases(database))
  const { rows } = await database.pool.query<{ seconds: number }>(
    'select extract(epoch from lease_until - now())::float8 as seconds from webhook_queue_leases',
  )
  expect(rows[0]?.seconds).toBeGreaterThan(4)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(6)
})

test('what is put down untried comes first again, before what is newer', async () => {
  const worker = openQueueLeases(database)
  const ids = await enqueue(2)
  const [first, untried] = await take(worker)
  await enqueue(1)
  await done(worker, first)
  worker.releaseDelivery(present(untried), 'left')
  expect(idsOf(await take(worker, 1))).toEqual([ids[1]])
})

test('a retry that is ready again is found, however much newer was read', async () => {
  const worker = openQueueLeases(database)
  const [retried] = await enqueue(4)
  const [first, ...rest] = await take(worker)
  expect(rest).toHaveLength(3)
  await done(worker, first)
  await database.pool.query('update webhook_deliveries set ready = true where id = $1', [retried])
  await expect.poll(async () => idsOf(await take(worker, 1))).toEqual([retried])
})

test('what was in hand when a lane was lost is not made, although the lane is held again', async () => {
  const [first, second] = await enqueue(2)
  const [one, other] = [openQueueLeases(database), openQueueLeases(database)]
  const [stale] = await take(one, 1)
  expect(one.isStillOwned(present(stale))).toBe(true)
  await endHolds()
  const taken = await take(other)
  expect(idsOf(taken)).toEqual([first, second])
  await one.renew()
  expect(one.isStillOwned(present(stale))).toBe(false)
  for (const delivery of taken) {
    await done(other, delivery)
  }
  await other.releaseIdleLeases()
  const [third] = await enqueue(1)
  await one.renew()
  expect(idsOf(await take(one))).toEqual([third])
  expect(one.isStillOwned(present(stale))).toBe(false)
})

test('a lane that nobody took while its worker stood still goes on being its own', async () => {
  await enqueue(1)
  const worker = openQueueLeases(database)
  const [delivery] = await take(worker)
  await endHolds()
  await worker.renew()
  expect(worker.isStillOwned(present(delivery))).toBe(true)
  expect(await take(openQueueLeases(database))).toEqual([])
})

test('looks that come at the same time take nothing twice', async () => {
  const ids = await enqueue(30)
  const worker = openQueueLeases(database)
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(worker, 5)))
  expect(taken.flatMap(idsOf).toSorted()).toEqual(ids.toSorted())
})

test('the tests of endpoints are left to the requests that make them', async () => {
  await enqueue(1)
  await database.pool.query(`update webhook_deliveries set lease_until = now() + interval '30 seconds'`)
  const worker = openQueueLeases(database)
  expect(await take(worker)).toEqual([])
  await worker.releaseIdleLeases()
  await database.pool.query(`update webhook_deliveries set lease_until = now() - interval '1 second'`)
  expect(await take(openQueueLeases(database))).toHaveLength(1)
})

test('any number of workers, stopping and dying as they like: each lane in order, by one at a time, and nothing lost', async () => {
  const acts = fc.array(
    fc.record({
      worker: fc.nat({ max: 2 }),
      origin: fc.constantFrom(ORIGIN, ELSEWHERE),
      do: fc.constantFrom('take', 'take', 'take', 'end one', 'end one', 'leave', 'die', 'queue'),
      count: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 10, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      await database.pool.query('delete from webhook_deliveries')
      await database.pool.query('delete from webhook_queue_leases')
      const workers = Array.from({ length: 3 }, () => ({
        queues: openQueueLeases(database),
        inHand: [] as ReadyDelivery[],
      }))
      const queued = new Map<string, string[]>([ORIGIN, ELSEWHERE].map((origin) => [origin, []]))
      const ended: ReadyDelivery[] = []
      const endOne = async (worker: (typeof workers)[number]) => {
        const delivery = worker.inHand.shift()
        if (delivery !== undefined) {
          await done(worker.queues, delivery)
          ended.push(delivery)
        }
      }
      for (const act of all) {
        const worker = workers[act.worker]
        if (worker === undefined) {
          throw new Error('There is no such worker')
        }
        if (act.do === 'queue') {
          queued.get(act.origin)?.push(...(await enqueue(act.count, act.origin)))
        } else if (act.do === 'take') {
          worker.inHand.push(...(await take(worker.queues, act.count, act.origin)))
        } else if (act.do === 'end one') {
          await endOne(worker)
        } else if (act.do === 'leave') {
          await worker.queues.releaseIdleLeases()
        } else {
          // Its lanes are free once it has not been heard of.
          const of = worker.inHand.map(({ origin }) => origin)
          await database.pool.query(
            `update webhook_queue_leases set lease_until = now() - interval '1 second' where origin = any($1)`,
            [of],
          )
          workers[act.worker] = { queues: openQueueLeases(database), inHand: [] }
        }
        const inHands = workers.map(({ inHand }) => new Set(inHand.map(({ origin }) => origin)))
        for (const origin of [ORIGIN, ELSEWHERE]) {
          expect(inHands.filter((origins) => origins.has(origin)).length).toBeLessThanOrEqual(1)
        }
      }
      for (const worker of workers) {
        while (worker.inHand.length > 0) {
          await endOne(worker)
        }
        await worker.queues.releaseIdleLeases()
      }
      await endHolds()
      const last = openQueueLeases(database)
      for (const origin of [ORIGIN, ELSEWHERE]) {
        ended.push(...(await take(last, 1_000, origin)))
        expect(ended.filter((one) => one.origin === origin).map(({ id }) => id)).toEqual(queued.get(origin))
      }
    }),
    { numRuns: 60 },
  )
}, 60_000)

test.each(['without statistics', 'with those of an empty table', 'with those of a full table'])(
  'taking costs the same however long the lane is, %s',
  async (statistics) => {
    if (statistics === 'with those of an empty table') {
      await database.pool.query('vacuum analyze webhook_deliveries')
    }
    await enqueue(20_000)
    if (statistics === 'with those of a full table') {
      await database.pool.query('analyze webhook_deliveries')
    }
    const worker = openQueueLeases(database)
    const took: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const begun = performance.now()
      expect(await take(worker, 64)).toHaveLength(64)
      took.push(performance.now() - begun)
    }
    // Read through, the lane takes a second or more each time.
    expect(Math.min(...took)).toBeLessThan(QUICK_MILLISECONDS)
  },
)
