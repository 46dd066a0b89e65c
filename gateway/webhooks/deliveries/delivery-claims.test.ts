/** Tests claims: in order, by one worker at a time, one of each subject, and none is lost with a worker. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import type { ClaimedDelivery } from '../store/delivery.ts'
import {
  BEFORE_FIRST_QUEUE,
  claimReadyDeliveries,
  DELIVERY_LEASE_SECONDS,
  type DeliveryQueue,
  findReadyQueues,
} from '../store/delivery-claim-store.ts'

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
})

const ORIGIN = 'https://one.example'
const ELSEWHERE = 'https://two.example'
const SUBSCRIPTION = newId()
const QUEUED = 20_000
/** A claim of 32 reads the 40 of its window, and each that it claims once to lock it and once to lease it. */
const ROWS_READ = 104

const HISTORIES = randomCases(200)
const HISTORIES_MILLISECONDS = 60_000 + HISTORIES * 1_000

const partner = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`
const queue = (origin = ORIGIN): DeliveryQueue => ({ partnerId: partner(1), origin })
const claim = (take = 100, origin = ORIGIN) => claimReadyDeliveries(database, [{ ...queue(origin), take }])
const idsOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ id }) => id)

/** Enqueues deliveries, each about a subject of its own or all about one. Returns their ids, which have no order. */
async function enqueue(count: number, origin = ORIGIN, subjectId: string | null = null): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
       subject_id, body, status, ready, due_at, created_at)
     select $1, $5, gen_random_uuid(), 1, $2, gen_random_uuid(), 'x', coalesce($4, gen_random_uuid()), '{}', 'Queued',
       true, now(), now()
     from generate_series(1, $3::int)
     returning id`,
    [partner(1), origin, count, subjectId, SUBSCRIPTION],
  )
  return rows.map(({ id }) => id)
}

async function enqueueQueues(partners: readonly number[], queues: number, deliveries = 1): Promise<void> {
  await database.pool.query(
    `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
       body, status, ready, due_at, created_at)
     select p, gen_random_uuid(), gen_random_uuid(), 1, 'https://' || lpad(q::text, 5, '0') || '.example',
       gen_random_uuid(), 'webhook.test', '{}', 'Queued', true, now(), now()
     from unnest($1::uuid[]) p, generate_series(1, $2) q, generate_series(1, $3) d`,
    [partners.map(partner), queues, deliveries],
  )
}

const record = (id: string | undefined) =>
  database.pool.query('update webhook_deliveries set ready = false, lease_until = null where id = $1', [id])
const makeReady = (id: string | undefined) =>
  database.pool.query('update webhook_deliveries set ready = true where id = $1', [id])
const setLeases = (seconds: number, ids: readonly string[]) =>
  database.pool.query(
    `update webhook_deliveries set lease_until = now() + $1 * interval '1 second' where id = any($2)`,
    [seconds, ids],
  )

test('deliveries are claimed in the order in which they were queued, once, and at most up to the limit', async () => {
  const ids = await enqueue(5)
  const [other] = await enqueue(1, ELSEWHERE)
  expect(idsOf(await claim(2))).toEqual(ids.slice(0, 2))
  expect(idsOf(await claim(2))).toEqual(ids.slice(2, 4))
  expect(idsOf(await claim())).toEqual(ids.slice(4))
  expect(await claim()).toEqual([])
  expect(idsOf(await claim(1, ELSEWHERE))).toEqual([other])
})

test('of one subject the next is claimed after the outcome of the previous one is recorded; other subjects do not wait', async () => {
  const subject = newId()
  const [first, second] = await enqueue(2, ORIGIN, subject)
  const [other] = await enqueue(1)
  expect(idsOf(await claim())).toEqual([first, other])
  expect(await claim()).toEqual([])
  await record(first)
  expect(idsOf(await claim())).toEqual([second])
})

test('a retry is not claimed while a later delivery of its subject is in flight', async () => {
  const [retried, later] = await enqueue(2, ORIGIN, newId())
  await record(retried)
  expect(idsOf(await claim())).toEqual([later])
  await makeReady(retried)
  expect(await claim()).toEqual([])
  await record(later)
  expect(idsOf(await claim())).toEqual([retried])
})

test('a lease is measured by the database’s clock, and the claims of a dead worker are claimed again after it', async () => {
  const ids = await enqueue(2)
  await claim()
  const { rows } = await database.pool.query<{ seconds: number }>(
    'select extract(epoch from lease_until - now())::float8 as seconds from webhook_deliveries',
  )
  for (const { seconds } of rows) {
    expect(seconds).toBeGreaterThan(DELIVERY_LEASE_SECONDS - 10)
    expect(seconds).toBeLessThanOrEqual(DELIVERY_LEASE_SECONDS)
  }
  expect(await claim()).toEqual([])
  await setLeases(-1, ids)
  expect(idsOf(await claim())).toEqual(ids)
})

test('concurrent claims claim no delivery twice', async () => {
  const ids = await enqueue(30)
  const claimed = await Promise.all(Array.from({ length: 10 }, () => claim(5)))
  const seen = claimed.flatMap(idsOf)
  expect(new Set(seen).size).toBe(seen.length)
  const rest = await claim()
  expect([...seen, ...idsOf(rest)].toSorted()).toEqual(ids.toSorted())
})

test('a delivery that a transaction has locked is skipped', async () => {
  const [held, free] = await enqueue(2)
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from webhook_deliveries where id = $1 for update', [held])
    expect(idsOf(await claim())).toEqual([free])
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect(idsOf(await claim())).toEqual([held])
})

test('tests of endpoints are left to their requests until their leases end', async () => {
  const [tested, other] = [(await enqueue(1))[0] ?? '', await enqueue(1, ELSEWHERE)]
  await setLeases(30, [tested])
  expect(await claim()).toEqual([])
  expect(await findReadyQueues(database, BEFORE_FIRST_QUEUE, 10)).toEqual([queue(ELSEWHERE)])
  await setLeases(-1, [tested, ...other])
  expect(await findReadyQueues(database, BEFORE_FIRST_QUEUE, 10)).toEqual([queue(), queue(ELSEWHERE)])
  expect(await claim()).toHaveLength(1)
})

test('any number of partners with any number of queues: each is found once, in order', async () => {
  for (const [number, queues] of [3, 17, 1, 9, 30].entries()) {
    await enqueueQueues([number + 1], queues, 2)
  }
  const seen: string[] = []
  let place = BEFORE_FIRST_QUEUE
  for (let found = [place]; found.length > 0; place = found.at(-1) ?? place) {
    found = [...(await findReadyQueues(database, place, 4))]
    expect(found.length).toBeLessThanOrEqual(4)
    seen.push(...found.map(({ partnerId, origin }) => `${partnerId} ${origin}`))
  }
  expect(seen).toHaveLength(60)
  expect(new Set(seen).size).toBe(60)
  expect(seen).toEqual(seen.toSorted())
})

test('queues without ready deliveries are not found, however many deliveries they had', async () => {
  await enqueueQueues([1, 2], 3, 500)
  await database.pool.query('analyze webhook_deliveries')
  await database.pool.query('update webhook_deliveries set ready = false where partner_id = $1', [partner(1)])
  const queues = await findReadyQueues(database, BEFORE_FIRST_QUEUE, 10)
  expect(queues.map(({ partnerId }) => partnerId)).toEqual([partner(2), partner(2), partner(2)])
})

test(
  'workers that claim, record and die at random: each subject in order, one at a time, and none lost',
  async () => {
    const subjects = Array.from({ length: 3 }, () => newId())
    const step = fc.record({
      worker: fc.nat({ max: 2 }),
      origin: fc.constantFrom(ORIGIN, ELSEWHERE),
      subject: fc.constantFrom(...subjects),
      do: fc.constantFrom('claim', 'claim', 'claim', 'record one', 'record one', 'die', 'enqueue', 'enqueue'),
      count: fc.integer({ min: 1, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        await database.pool.query('delete from webhook_deliveries')
        const workers = Array.from({ length: 3 }, (): ClaimedDelivery[] => [])
        const lineOf = (origin: string, subject: string | null) => `${origin} ${subject}`
        const queued = new Map<string, string[]>()
        const recorded = new Map<string, string[]>()
        const append = (to: Map<string, string[]>, line: string, ids: readonly string[]) =>
          to.set(line, [...(to.get(line) ?? []), ...ids])
        const recordOne = async (worker: ClaimedDelivery[]) => {
          const delivery = worker.shift()
          if (delivery !== undefined) {
            await record(delivery.id)
            append(recorded, lineOf(delivery.origin, delivery.subjectId), [delivery.id])
          }
        }
        for (const { worker: number, do: what, origin, subject, count } of steps) {
          const worker = workers[number] ?? []
          if (what === 'enqueue') {
            append(queued, lineOf(origin, subject), await enqueue(count, origin, subject))
          } else if (what === 'claim') {
            worker.push(...(await claim(count, origin)))
          } else if (what === 'record one') {
            await recordOne(worker)
          } else {
            await setLeases(-1, idsOf(worker.splice(0)))
          }
          const inFlight = workers.flat().map((each) => lineOf(each.origin, each.subjectId))
          expect(new Set(inFlight).size).toBe(inFlight.length)
        }
        for (let left = 1; left > 0; ) {
          for (const worker of workers) {
            while (worker.length > 0) {
              await recordOne(worker)
            }
          }
          workers[0]?.push(...(await claim()), ...(await claim(100, ELSEWHERE)))
          left = workers[0]?.length ?? 0
        }
        expect(recorded).toEqual(new Map([...recorded.keys()].map((line) => [line, queued.get(line)])))
        expect(recorded.size).toBe(queued.size)
      }),
      { numRuns: HISTORIES },
    )
  },
  HISTORIES_MILLISECONDS,
)

test.each(['without statistics', 'with those of an empty table', 'with those of a full table'])(
  'a claim costs the same however long the queue is, %s',
  async (statistics) => {
    if (statistics === 'with those of an empty table') {
      await database.pool.query('vacuum analyze webhook_deliveries')
    }
    await enqueue(QUEUED)
    if (statistics === 'with those of a full table') {
      await database.pool.query('analyze webhook_deliveries')
    }
    for (let round = 0; round < 3; round += 1) {
      const { claimed, rowsRead } = await inTransaction({ database }, async (within) => {
        const before = await rowsReadOn(within.database)
        const claimed = await claimReadyDeliveries(within.database, [{ ...queue(), take: 32 }])
        return { claimed, rowsRead: (await rowsReadOn(within.database)) - before }
      })
      expect(claimed).toHaveLength(32)
      expect(rowsRead).toBeLessThanOrEqual(ROWS_READ)
      await Promise.all(claimed.map(({ id }) => record(id)))
    }
  },
)

/**
 * How many deliveries a connection has read, by an index or without one. PostgreSQL counts what earlier transactions have
 * read as well, until it adds that to the totals of all, a second later at most.
 */
async function rowsReadOn({ query }: Pick<Database<unknown>, 'query'>): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables
    where relname = 'webhook_deliveries'`.execute(query)
  return Number(rows[0]?.count)
}
