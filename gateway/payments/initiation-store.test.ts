/** Tests that the statements of an initiation find their rows by key, however many payments there are. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../testing/fresh-database.ts'
import { KEEP_ACCEPTANCES, KEEP_INTENTS } from './initiation-store.ts'

let fresh: FreshDatabase
let client: pg.Client

/** Settled payments of one partner, as many as make a wrong plan cost more than the right one. */
const KEPT_PAYMENTS = `
  insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
    amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status, hint_hash,
    created_at, status_at, changed_at)
  select '01a207a2-3280-7a4c-9123-b1612dd272d1', gen_random_uuid(), 'Domestic', gen_random_uuid(), 'FJORNO22', 'NO',
    '987654325', 'kept-' || n, n, 'NOK', '80501100017', '80501200011', '2026-11-21', '{}', 'known', gen_random_uuid(),
    'Completed', 'hint', t.at, t.at, t.at
  from generate_series(1, 20000) n, (values ('2026-11-21T10:00:00Z'::timestamptz)) as t(at)`

beforeAll(async () => {
  fresh = await freshDatabase()
  client = new pg.Client({ connectionString: fresh.connectionString })
  await client.connect()
  await client.query(KEPT_PAYMENTS)
  await client.query('vacuum analyze payments')
})

afterAll(async () => {
  await client.end()
  await fresh.drop()
})

/** How a statement that is prepared, as the gateway has it, reads a table. */
async function readsOf(statement: string, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement}`)
  return rows
    .map((row) => row['QUERY PLAN'].trim())
    .filter((line) => line.includes('Scan') && new RegExp(`(on|using) ${table}`).test(line))
    .map((line) => line.replace(/^-> +| {2}\(cost.*$/g, ''))
}

describe('with many payments kept', () => {
  it('finds possible duplicates by their endToEndId', async () => {
    expect(await readsOf(KEEP_INTENTS, 'payments')).toEqual(['Index Scan using payments_end_to_end on payments p'])
  })

  it('finds the payment of an answer by its id', async () => {
    expect(await readsOf(KEEP_ACCEPTANCES, 'payments')).toEqual([
      'Index Scan using payments_pkey on payments p_1',
      'Index Scan using payments_pkey on payments p',
    ])
  })
})
