/** Tests the migrations against the design: an up-to-date snapshot, and tables that can be partitioned by partner. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './testing/database/fresh-database.ts'
import { schemaOf } from './testing/database/schema-snapshot.ts'

/** Tables of Havn rather than of a partner: copied to every shard instead of partitioned. */
const NOT_OF_A_PARTNER = [
  'banks',
  'business_clock',
  'business_clock_move_lock',
  'sandbox_data_set',
  'clients',
  'console_sessions',
  'console_sign_ins',
  'console_users',
  'console_passkeys',
  'console_invitations',
  'bank_call_counts',
  'bank_file_polls',
  'bank_files_skipped',
  'fx_call_rate_limits',
  'fx_providers',
  'fx_reference_fetches',
  'fx_reference_rates',
  'migrations',
  'partners',
  'running_processes',
  'bank_reports_processed',
  'digest_keys',
  'token_keys',
]
/** Sweeps cross partners; their indexes are led by the due time. */
const SWEEP_INDEXES = /_(due|poll|recover|revoke|retention|open|refresh|release)$/
/**
 * Banks count Havn's consents as one third party, across our partners; operators see all that end soon; providers and
 * reports have our ids only; a bank names a call by its X-Request-ID alone.
 */
const ACROSS_PARTNERS = [
  'bank_calls_request',
  'consents_at_bank',
  'consents_awaiting',
  'consents_expiring',
  'fx_deals_noticed',
  'fx_quotes_referred',
  'fx_inbound_funds_noticed',
  'fx_inbound_funds_once',
  'payment_files_message',
  // Led by the bank, so that it is not used for look-ups of a partner's payment by id.
  'payments_debited',
  // Led by the endToEndId, so that no other is used for the look-up of duplicates.
  'payments_end_to_end',
]

let database: FreshDatabase
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.connectionString })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('schema.sql matches the migrations', async () => {
  await expect(await schemaOf(client, 'public')).toMatchFileSnapshot('schema.sql')
})

describe('every table of a partner', () => {
  test('has the partner first in every primary, unique and foreign key, and in every index that no sweep needs', async () => {
    const { rows } = await client.query<{ table: string; index: string; first: string }>(`
      select t.relname as table, i.relname as index, a.attname as first
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class t on t.oid = x.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where t.relnamespace = 'public'::regnamespace`)
    const ofPartners = rows.filter(({ table }) => !NOT_OF_A_PARTNER.includes(table))
    expect(ofPartners.length).toBeGreaterThan(10)
    const strange = ofPartners.filter(
      ({ index, first }) => first !== 'partner_id' && !SWEEP_INDEXES.test(index) && !ACROSS_PARTNERS.includes(index),
    )
    expect(strange).toEqual([])
  })

  test('has no triggers, and no time of the database in a default', async () => {
    const { rows } = await client.query(`
      select tgname from pg_trigger where not tgisinternal
      union all
      select adrelid::regclass::text from pg_attrdef where pg_get_expr(adbin, adrelid) ~* 'now\\(|current_|clock_'`)
    expect(rows).toEqual([])
  })
})
