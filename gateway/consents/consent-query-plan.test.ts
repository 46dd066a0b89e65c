/** Tests that the cost of requesting a consent depends on the open ones at its bank, not on what is stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../platform/database/database.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent } from '../testing/payments/sample-payments.ts'
import { findConsent, hasOtherGrantedConsent } from './consent-store.ts'

const STORED = 8_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('the query plan scans neither ended consents nor those of other banks', async () => {
  const { context, connectionString } = gateway
  const { consentId } = await acceptedConsent(gateway)
  const { rows } = await context.database.pool.query('select partner_id from consents where id = $1', [consentId])
  const partnerId = String(rows[0].partner_id)
  const consent = (await findConsent(context, { partnerId, id: consentId })) ?? expect.fail('It is not kept')
  await context.database.pool.query(
    `insert into consents (partner_id, id, company_id, bic, country_code, organisation_number, status, callback_url,
       valid_until, created_at, updated_at)
     select partner_id, gen_random_uuid(), company_id, case when n % 3 = 0 then bic else 'BANKNO' || 10 + n % 9 end,
       country_code, organisation_number,
       case when n % 3 = 0 then 'EXPIRED' else case when n % 2 = 0 then 'ACCEPTED' else 'AUTHORIZATION_REQUIRED' end end,
       callback_url, valid_until, created_at, updated_at
     from consents, generate_series(1, $2::int) n where id = $1`,
    [consentId, STORED],
  )
  await context.database.pool.query('vacuum analyze consents')
  // One connection, so that its statistics can be read.
  const database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
  try {
    await database.pool.query('begin')
    expect(await hasOtherGrantedConsent({ ...context, database }, consent)).toBe(false)
    const text = `select seq_scan::int, seq_tup_read::int from pg_stat_xact_user_tables
      where schemaname = 'public' and relname = 'consents'`
    expect((await database.pool.query(text)).rows).toEqual([{ seq_scan: 0, seq_tup_read: 0 }])
    await database.pool.query('rollback')
  } finally {
    await database.close()
  }
})
