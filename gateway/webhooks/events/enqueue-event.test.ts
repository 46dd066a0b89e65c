/** Tests appended events: bodies match the contract, and positions become visible in their order. */
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PaymentStatusEvent } from '../../../contract/webhooks/webhook-events.ts'
import { formatTimestamp, movableClock } from '../../platform/clock.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { createEvent, type StatusChange } from '../store/event.ts'
import { appendEvent } from './enqueue-event.ts'

let fresh: FreshDatabase
let database: Database<unknown>
const clock = movableClock()
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 12 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

function change(partnerId: string): StatusChange {
  const reported = {
    previousStatus: 'Unsigned',
    status: 'InProgress',
    statusReason: null,
    statusReasonText: 'på vei',
  } as const
  return { partnerId, paymentId: newId(), occurredAt: clock.now(), occurrence: 0, ...reported }
}

async function positionsOf(partnerId: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ position: bigint }>(
    'select position from events where partner_id = $1 order by position',
    [partnerId],
  )
  return rows.map(({ position }) => Number(position))
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

describe('an event', () => {
  test('is stored as the very text that is signed, in the format of the contract', async () => {
    const requested = change(newId())
    const { id, body } = await appendEvent(database, requested)
    const { partnerId, occurredAt, occurrence: _, ...data } = requested
    expect(Value.Parse(PaymentStatusEvent, JSON.parse(body))).toEqual({
      id,
      type: 'PAYMENT_STATUS_IN_PROGRESS',
      version: '1',
      occurredAt: formatTimestamp(occurredAt),
      data,
    })
    const { rows } = await database.pool.query('select body from events where partner_id = $1', [partnerId])
    expect(rows).toEqual([{ body }])
  })

  test('gets the same id for the same change, and another one for the next of its kind', async () => {
    const restored = { ...change(newId()), occurredAt: clock.now().add({ minutes: 5 }) }
    const { id } = createEvent(restored)
    expect(createEvent({ ...restored, previousStatus: 'CustomerActionRequired', occurredAt: clock.now() }).id).toBe(id)
    const others = [{ occurrence: 1 }, { status: 'Completed' as const }, { paymentId: newId() }, { partnerId: newId() }]
    expect(new Set([id, ...others.map((other) => createEvent({ ...restored, ...other }).id)]).size).toBe(5)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  })

  test('is removed together with its position when its transaction rolls back', async () => {
    const partnerId = newId()
    await appendEvent(database, change(partnerId))
    const rolledBack = database.query.transaction().execute(async (query) => {
      await appendEvent({ query }, change(partnerId))
      throw new Error('something else failed')
    })
    await expect(rolledBack).rejects.toThrow('something else')
    await appendEvent(database, change(partnerId))
    expect(await positionsOf(partnerId)).toEqual([1, 2])
  })
})

describe('positions', () => {
  test('are visible without gaps at any moment, however transactions overlap', async () => {
    const partnerId = newId()
    let open = 40
    const writers = Array.from({ length: open }, async () => {
      await database.query.transaction().execute(async (query) => {
        await appendEvent({ query }, change(partnerId))
        // What a transaction does after its event lets other transactions overtake it.
        await new Promise(setImmediate)
      })
      open -= 1
    })
    while (open > 0) {
      const seen = await positionsOf(partnerId)
      expect(seen).toEqual(upTo(seen.length))
    }
    await Promise.all(writers)
    expect(await positionsOf(partnerId)).toEqual(upTo(40))
  })

  test('of one partner do not block those of another', async () => {
    const [one, other] = [newId(), newId()]
    await database.query.transaction().execute(async (query) => {
      await appendEvent({ query }, change(one))
      expect((await appendEvent(database, change(other))).position).toBe(1n)
    })
  })
})
