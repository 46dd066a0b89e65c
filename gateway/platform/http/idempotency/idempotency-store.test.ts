/** Tests the statements on idempotency keys: a response is stored for its own request, or not at all. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../testing/database/fresh-database.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { newId } from '../../ids.ts'
import { findRequests, storeAnswer } from './idempotency-store.ts'

const AT = Temporal.Instant.from('2026-11-21T10:00:00Z')
const REJECTED = { status: 422, sealed: Buffer.from('[]'), at: AT }

let fresh: FreshDatabase
let database: Database<unknown>
let pool: pg.Pool
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ ...fresh, applicationName: 'test', connectionsMax: 2 })
  pool = database.pool
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const newKey = () => ({ partnerId: newId(), operation: 'POST /x', key: newId(), fingerprint: 'same' })

/** A request that has acquired the key and is in progress. */
async function running(key: ReturnType<typeof newKey>, subjectId: string | null, fingerprint = key.fingerprint) {
  await pool.query(
    `insert into idempotency (partner_id, operation, key, fingerprint, subject_id, started_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [key.partnerId, key.operation, key.key, fingerprint, subjectId, AT.toString()],
  )
}

const statusOf = async (key: ReturnType<typeof newKey>) => (await findRequests(pool, [key]))[0]?.status

describe('a response', () => {
  it('is stored under its key, whether the request started there or left no row', async () => {
    const [begun, fresh] = [newKey(), newKey()]
    await running(begun, null)
    for (const key of [begun, fresh]) {
      await storeAnswer(pool, key, REJECTED, 'answered')
      expect(await statusOf(key)).toBe(422)
    }
  })

  it('is never stored for an equal request that acquired the released key and has an order in progress', async () => {
    const key = newKey()
    await running(key, newId())
    await storeAnswer(pool, key, REJECTED, 'answered')
    expect(await statusOf(key)).toBeNull()
  })

  it('is never stored for another request that acquired the key', async () => {
    const key = newKey()
    await running(key, null, 'other')
    await storeAnswer(pool, key, REJECTED, 'answered')
    expect(await statusOf(key)).toBeNull()
  })
})
