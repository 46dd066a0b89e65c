/** Guarantees of the order: what is about one payment goes out as it happened, also when several workers share the work. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../foundation/database/database.ts'
import { type FreshDatabase, freshDatabase } from '../testing/fresh-database.ts'
import { claimDeliveries, giveBackDeliveries, type LeasedDelivery } from './claim-store.ts'

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

const PARTNER = '00000000-0000-0000-0000-000000000001'
const ORIGIN = 'https://one.example'
/** On a machine that runs other tests besides. */
const QUICK_CLAIM_MILLISECONDS = 300
const uuid = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`

type Queued = { readonly subscription?: number; readonly subject: number | null; readonly origin?: string }

/** One after the other; ids say nothing of the order. Answers the ids. */
async function queue(all: readonly Queued[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { subscription = 1, subject, origin = ORIGIN } of all) {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
         subject_id, body, status, ready, due_at, created_at)
       values ($1, $2, gen_random_uuid(), 1, $3, gen_random_uuid(), 'x', $4, '{}', 'Queued', true, now(), now())
       returning id`,
      [PARTNER, uuid(subscription), origin, subject === null ? null : uuid(subject)],
    )
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

const claim = (take = 100, origin = ORIGIN) => claimDeliveries(database, [{ partnerId: PARTNER, origin, take }])
const idsOf = (claimed: readonly LeasedDelivery[]) => claimed.map(({ id }) => id)
const done = (id: string | undefined) =>
  database.pool.query('update webhook_deliveries set ready = false, lease_until = null where id = $1', [id])

test('what is about one payment is claimed together and in order, or waits for what is older', async () => {
  const [first, second, third] = await queue([{ subject: 1 }, { subject: 1 }, { subject: 1 }])
  expect(idsOf(await claim(2))).toEqual([first, second])
  expect(await claim()).toEqual([])
  await done(first)
  expect(await claim()).toEqual([])
  await done(second)
  expect(idsOf(await claim())).toEqual([third])
})

test('what is older keeps nothing waiting of another payment, subscription or origin', async () => {
  const elsewhere = 'https://two.example'
  const ids = await queue([
    { subject: 1 },
    { subject: 1 },
    { subject: 2 },
    { subject: 1, subscription: 2 },
    { subject: 1, origin: elsewhere },
    { subject: null },
    { subject: null },
  ])
  expect(idsOf(await claim(1))).toEqual([ids[0]])
  expect(idsOf(await claim())).toEqual([ids[2], ids[3], ids[5], ids[6]])
  expect(idsOf(await claim(1, elsewhere))).toEqual([ids[4]])
})

test('one that another worker is just taking is not overtaken either', async () => {
  const [first, second, other] = await queue([{ subject: 1 }, { subject: 1 }, { subject: 2 }])
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from webhook_deliveries where id = $1 for update', [first])
  expect(idsOf(await claim())).toEqual([other])
  await client.query('rollback')
  client.release()
  expect(idsOf(await claim())).toEqual([first, second])
})

test('what waits behind others fills no look: what is behind it is claimed', async () => {
  const blocked = Array.from({ length: 20 }, () => ({ subject: 1 }))
  const ids = await queue([...blocked, { subject: 2 }])
  expect(idsOf(await claim(1))).toEqual([ids[0]])
  expect(idsOf(await claim(5))).toEqual([ids[20]])
})

test('an attempt that failed lets its successors pass, and what is given back does not', async () => {
  const [first, second] = await queue([{ subject: 1 }, { subject: 1 }])
  const [leased] = await claim(1)
  expect(await giveBackDeliveries(database, leased === undefined ? [] : [leased])).toEqual([true])
  expect(idsOf(await claim(1))).toEqual([first])
  await done(first)
  expect(idsOf(await claim(1))).toEqual([second])
})

test('a lease that somebody else has by now is not given back', async () => {
  await queue([{ subject: 1 }])
  const [late] = await claim()
  await database.pool.query(`update webhook_deliveries set lease_until = now() - interval '1 second'`)
  const [taken] = await claim()
  expect(late?.id).toBe(taken?.id)
  expect(await giveBackDeliveries(database, late === undefined ? [] : [late])).toEqual([false])
  expect(await claim()).toEqual([])
})

test('leases go by the database’s clock: a worker whose own is off neither steals nor hoards', async () => {
  await queue([{ subject: 1 }])
  await claim()
  const { rows } = await database.pool.query<{ seconds: number }>(
    'select extract(epoch from lease_until - now())::float8 as seconds from webhook_deliveries',
  )
  expect(rows[0]?.seconds).toBeGreaterThan(20)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(30)
})

test('several workers at once, on any mixture of payments, never overtake one another', async () => {
  const queued = fc.array(fc.record({ subject: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 30 })
  const takes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(queued, takes, async (all, sizes) => {
      await database.pool.query('delete from webhook_deliveries')
      const ids = await queue(all)
      const finished: string[] = []
      while (finished.length < ids.length) {
        const batches = await Promise.all(sizes.map((take) => claim(take)))
        const before = finished.length
        // Any worker may be the first to end.
        for (const delivery of batches.toReversed().flat()) {
          finished.push(delivery.id)
          await done(delivery.id)
        }
        expect(finished.length).toBeGreaterThan(before)
      }
      for (const subject of [1, 2, 3, 4]) {
        const inOrder = ids.filter((_, index) => all[index]?.subject === subject)
        expect(finished.filter((id) => inOrder.includes(id))).toEqual(inOrder)
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)

test.each(['without statistics', 'with those of an empty table', 'with those of a full table'])(
  'claiming costs the same however long the lane is, %s',
  async (statistics) => {
    if (statistics !== 'without statistics') {
      await database.pool.query('analyze webhook_deliveries')
    }
    await database.pool.query(
      `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
         subject_id, body, status, ready, due_at, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), 1, $2, gen_random_uuid(), 'x', gen_random_uuid(), '{}', 'Queued',
         true, now(), now()
       from generate_series(1, 20000)`,
      [PARTNER, ORIGIN],
    )
    if (statistics === 'with those of a full table') {
      await database.pool.query('analyze webhook_deliveries')
    }
    const took: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const begun = performance.now()
      expect(await claim(64)).toHaveLength(64)
      took.push(performance.now() - begun)
    }
    // Read through, the lane takes a second or more each time.
    expect(Math.min(...took)).toBeLessThan(QUICK_CLAIM_MILLISECONDS)
  },
)
