/** Tests renewed leases: held while a row is processed, never longer than the limit, and not when lost. */
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { movableClock } from '../clock.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { LeasedRow } from './due-row-scan.ts'
import { openLeaseRenewal } from './lease-renewal.ts'

const RENEWAL_MILLISECONDS = 10

let fresh: FreshDatabase
let database: Database<unknown>
const clock = movableClock()
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase<unknown>({
    connectionString: fresh.connectionString,
    applicationName: 'test',
    connectionsMax: 4,
  })
  await database.pool.query('create table waiting (partner_id uuid, id uuid, lease_until timestamptz)')
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => database.pool.query('truncate waiting'))

/** A row whose lease is about to end. */
async function leasedRow(): Promise<LeasedRow> {
  const row = { partnerId: newId(), id: newId(), leaseUntil: clock.real().add({ seconds: 1 }) }
  await database.pool.query('insert into waiting values ($1, $2, $3)', [row.partnerId, row.id, String(row.leaseUntil)])
  return row
}

async function secondsLeft({ id }: LeasedRow): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ until: Temporal.Instant | null }>(
    'select lease_until as until from waiting where id = $1',
    [id],
  )
  return rows[0]?.until?.since(clock.real()).total('seconds')
}

const renewal = (leaseSeconds: number) =>
  openLeaseRenewal({ database, clock }, { table: 'waiting', leaseSeconds }, RENEWAL_MILLISECONDS)

describe('the lease of a row in flight', () => {
  it('is renewed until the row has been processed, each time for seconds', async () => {
    const [row, done] = [await leasedRow(), await leasedRow()]
    const ended = Promise.withResolvers<void>()
    const leases = renewal(600)
    await leases.whileLeased(done, async () => undefined)
    const processing = leases.whileLeased(row, () => ended.promise)
    await expect.poll(() => secondsLeft(row)).toBeGreaterThan(10)
    expect(await secondsLeft(row)).toBeLessThanOrEqual(20)
    expect(await secondsLeft(done)).toBeLessThanOrEqual(1)
    ended.resolve()
    await processing
  })

  it('is renewed further after a renewal that was stored, but whose answer was lost', async () => {
    let answers = 0
    const losingFirstAnswer: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        answers += 1
        if (answers === 1) {
          throw new Error('Connection terminated unexpectedly')
        }
        return result
      },
    }
    const query = database.query.withPlugin(losingFirstAnswer)
    const leases = openLeaseRenewal(
      { database: { ...database, query }, clock },
      { table: 'waiting', leaseSeconds: 600 },
      RENEWAL_MILLISECONDS,
    )
    const row = await leasedRow()
    const ended = Promise.withResolvers<void>()
    const processing = leases.whileLeased(row, () => ended.promise)
    await expect.poll(() => answers).toBeGreaterThan(0)
    const endOfLease = async (): Promise<number> => {
      const { rows } = await database.pool.query('select lease_until as until from waiting')
      return rows[0].until.epochMilliseconds
    }
    const renewedOnce = await endOfLease()
    await expect.poll(endOfLease).toBeGreaterThan(renewedOnce)
    ended.resolve()
    await processing
  })

  it('ends when processing takes longer than it may', async () => {
    const [long, row] = [await leasedRow(), await leasedRow()]
    const ended = Promise.withResolvers<void>()
    const processing = [
      renewal(600).whileLeased(long, () => ended.promise),
      renewal(20 + 5).whileLeased(row, () => ended.promise),
    ]
    await expect.poll(() => secondsLeft(long)).toBeGreaterThan(10)
    await expect.poll(() => secondsLeft(row)).toBeGreaterThan(2)
    expect(await secondsLeft(row)).toBeLessThanOrEqual(1 + 5)
    ended.resolve()
    await Promise.all(processing)
  })

  it('is not released from a row that was rescheduled or that another process has claimed', async () => {
    const [witness, row] = [await leasedRow(), await leasedRow()]
    const ended = Promise.withResolvers<void>()
    const leases = renewal(600)
    await database.pool.query('update waiting set lease_until = null where id = $1', [row.id])
    const processing = [witness, row].map((each) => leases.whileLeased(each, () => ended.promise))
    await expect.poll(() => secondsLeft(witness)).toBeGreaterThan(10)
    expect(await secondsLeft(row)).toBeUndefined()
    ended.resolve()
    await Promise.all(processing)
  })
})
