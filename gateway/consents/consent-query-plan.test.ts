/** Tests that the cost of requesting a consent depends on the open ones at its bank, not on what is stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/fresh-database.ts'
import { insertSampleRow } from '../testing/database/sample-row.ts'
import { contextOf } from '../testing/gateway/test-context.ts'
import { findConsent, hasOtherGrantedConsent } from './consent-store.ts'

const STORED = 8_000
const BIC = 'FJORNO22'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  // One connection, so that its statistics can be read.
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

test('the query plan scans neither ended consents nor those of other banks', async () => {
  const { pool } = database
  const context = contextOf({ database })
  const [partnerId, id] = [newId(), newId()]
  await insertSampleRow(pool, 'consents', { partner_id: partnerId, id, bic: BIC, status: 'ACCEPTED' })
  const consent = (await findConsent(context, { partnerId, id })) ?? expect.fail('It is not there')
  await pool.query(
    `insert into consents (partner_id, id, company_id, bic, country_code, organisation_number, status, callback_url,
       valid_until, created_at, updated_at)
     select partner_id, gen_random_uuid(), company_id, case when n % 3 = 0 then bic else 'BANKNO' || 10 + n % 9 end,
       country_code, organisation_number,
       case when n % 3 = 0 then 'EXPIRED' else case when n % 2 = 0 then 'ACCEPTED' else 'AUTHORIZATION_REQUIRED' end end,
       callback_url, valid_until, created_at, updated_at
     from consents, generate_series(1, $2::int) n where id = $1`,
    [id, STORED],
  )
  await pool.query('vacuum analyze consents')
  await pool.query('begin')
  expect(await hasOtherGrantedConsent(context, consent)).toBe(false)
  const text = `select seq_scan::int, seq_tup_read::int from pg_stat_xact_user_tables
    where schemaname = 'public' and relname = 'consents'`
  expect((await pool.query(text)).rows).toEqual([{ seq_scan: 0, seq_tup_read: 0 }])
  await pool.query('rollback')
})
