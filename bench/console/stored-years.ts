/** Fills the tables with millions of payments and their history: without indexes first, which are built afterwards. */
import type pg from 'pg'
import { invoice } from '../../contract/examples/demo-fixture.ts'
import type { RunningHavn } from '../environment/running-havn.ts'

/** How many payments there are, and how many rows of history each has. */
type StoredYears = { readonly payments: number; readonly historyRows: number }

const COMPANIES = 250
const FIRST_COMPANY = 900_000_000
/** In one statement, so that an interruption is noticed soon. */
const ROWS_PER_STATEMENT = 200_000
const KEYS = ['payments_pkey', 'payment_history_pkey'] as const

/**
 * Spread evenly over the year before `$3`. Ids hold the time of creation, as the gateway's do. One payment in a hundred is
 * not final, one in 500 is in euros; none is due for polling.
 */
const STORED_PAYMENTS = `
  insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
    amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
    status, bank_status, signed, notification_token_hash, created_at, status_at, changed_at)
  select p.id, t.id, 'Domestic', p.id, 'FJORNO22', 'NO', (${FIRST_COMPANY} + n % ${COMPANIES})::text, 'stored-' || n,
    n, case when n % 500 = 7 then 'EUR' else 'NOK' end, '80501100017', '80501200011', t.at::date, $5, 'known', t.id,
    n::text, s.status, s.bank_status, s.status <> 'Unsigned', repeat('h', 43), t.at, t.at, t.at
  from (select partner_id as id from clients where client_id = 'demo-partner') p, generate_series($1::int, $2::int) n,
    lateral (select $3::timestamptz - (1 - n / $4::float8) * interval '364 days' as at) moment,
    lateral (select moment.at, uuidv7(moment.at - clock_timestamp()) as id) t,
    lateral (select case n % 300 when 1 then 'Unsigned' when 2 then 'InProgress' when 3 then 'Rejected' else 'Completed' end as status,
      case n % 300 when 1 then 'RCVD' when 2 then 'ACSP' when 3 then 'RJCT' else 'ACSC' end as bank_status) s`
const STORED_HISTORY = `
  insert into payment_history (partner_id, payment_id, id, at, status)
  select partner_id, p.id, uuidv7(created_at - clock_timestamp()), created_at + step * interval '1 minute', status
  from payments p, generate_series(1, $1::int) step`
/** What surrounds payments: a tenth as many approvals, deliveries and entries of the audit log. */
const STORED_APPROVALS = `
  with signed as (
    select partner_id, id as payment_id, consent_id, created_at, gen_random_uuid() as id from payments
    where amount_minor % 10 = 0),
  stored as (
    insert into approvals (partner_id, id, consent_id, status, created_at, updated_at)
    select partner_id, id, consent_id, 'ACCEPTED', created_at, created_at from signed)
  insert into approval_payments (partner_id, approval_id, payment_id, position, bank_payment_id, order_digest, result)
  select partner_id, id, payment_id, 0, '', '', 'ACCEPTED' from signed`
const STORED_AUDIT_LOG = `
  insert into audit_log (partner_id, id, at, actor, action, subject_type, subject_id, detail)
  select partner_id, uuidv7(created_at - clock_timestamp()), created_at, 'operator Ingrid', 'payment read', 'payment', id, '{}'
  from payments where amount_minor % 10 = 1`

/** The company and endToEndId of payment `n`. */
export const companyOf = (n: number): string => String(FIRST_COMPANY + (n % COMPANIES))
export const endToEndIdOf = (n: number): string => `stored-${n}`

/** Replaces all payments; `until` is the time of the youngest. */
export async function storeYears(
  { database }: Pick<RunningHavn, 'database'>,
  { payments, historyRows }: StoredYears,
  until: string,
): Promise<void> {
  const connection = await database.pool.connect()
  try {
    for (const setting of [
      'statement_timeout = 0',
      'synchronous_commit = off',
      `maintenance_work_mem = '512MB'`,
      'enable_seqscan = on',
    ]) {
      await connection.query(`set ${setting}`)
    }
    await connection.query('truncate payments, payment_history, approvals, approval_payments')
    const restore = await dropIndexes(connection)
    for (let first = 1; first <= payments; first += ROWS_PER_STATEMENT) {
      const last = Math.min(first + ROWS_PER_STATEMENT - 1, payments)
      await connection.query(STORED_PAYMENTS, [first, last, until, payments, JSON.stringify(invoice)])
    }
    await connection.query(STORED_HISTORY, [Math.round(historyRows / payments)])
    await connection.query(STORED_APPROVALS)
    await connection.query(STORED_AUDIT_LOG)
    await restore()
    await connection.query('vacuum analyze payments, payment_history, approvals, approval_payments, audit_log')
    await connection.query('checkpoint')
  } finally {
    connection.release(true)
  }
}

/** Drops the indexes and keys of both tables; returns how to build them again, the keys last (decision 0085). */
async function dropIndexes(connection: pg.PoolClient): Promise<() => Promise<void>> {
  const { rows } = await connection.query<{ name: string; table: string; definition: string }>(
    `select indexname as name, tablename as table, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename in ('payments', 'payment_history')
     order by indexname = any($1), indexname`,
    [KEYS],
  )
  const isKey = (name: string) => KEYS.some((key) => key === name)
  for (const { name, table } of rows) {
    await connection.query(isKey(name) ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`)
  }
  return async () => {
    for (const { name, table, definition } of rows) {
      await connection.query(definition)
      if (isKey(name)) {
        await connection.query(`alter table ${table} add primary key using index ${name}`)
      }
    }
  }
}
