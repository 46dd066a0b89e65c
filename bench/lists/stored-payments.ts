/** Fills the tables with a year of payments of one partner and 250 companies, of which a few are not final. */
import { invoice } from '../../contract/examples/demo-fixture.ts'
import type { RunningHavn } from '../environment/running-havn.ts'

const COMPANIES = 250
const FIRST_COMPANY = 900_000_000
/** In one statement, so that an interruption is noticed soon. */
const ROWS_PER_STATEMENT = 100_000

/**
 * Payments are spread evenly over the year before `$3`; one in a hundred is unsigned, in progress or rejected. Ids
 * hold the time of creation, as the gateway's do. Nothing is due for polling.
 */
const STORED_PAYMENTS = `
  insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
    amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
    status, bank_status, signed, notification_token_hash, created_at, status_at, changed_at)
  select p.id, t.id, 'Domestic', p.id, 'FJORNO22', 'NO', (${FIRST_COMPANY} + n % ${COMPANIES})::text, 'stored-' || n,
    n, 'NOK', '80501100017', '80501200011', t.at::date, $5, 'known', t.id, n::text,
    s.status, s.bank_status, s.status <> 'Unsigned', repeat('h', 43), t.at, t.at, t.at
  from partners p, generate_series($1::int, $2::int) n,
    lateral (select $3::timestamptz - (1 - n / $4::float8) * interval '364 days' as at) moment,
    lateral (select moment.at, uuidv7(moment.at - clock_timestamp()) as id) t,
    lateral (select case n % 300 when 1 then 'Unsigned' when 2 then 'InProgress' when 3 then 'Rejected' else 'Completed' end as status,
      case n % 300 when 1 then 'RCVD' when 2 then 'ACSP' when 3 then 'RJCT' else 'ACSC' end as bank_status) s`
const STORED_HISTORY = `
  insert into payment_history (partner_id, payment_id, id, at, status)
  select partner_id, id, id, created_at, status from payments
  where end_to_end_id in (select 'stored-' || n from generate_series($1::int, $2::int) n)`

/** The company and endToEndId of payment `n`. */
export const companyOf = (n: number): string => String(FIRST_COMPANY + (n % COMPANIES))
export const endToEndIdOf = (n: number): string => `stored-${n}`

/** Replaces all payments; `until` is the time of the youngest. */
export async function storePayments({ database }: RunningHavn, count: number, until: string): Promise<void> {
  await database.pool.query('truncate payments, payment_history')
  for (let first = 1; first <= count; first += ROWS_PER_STATEMENT) {
    const last = Math.min(first + ROWS_PER_STATEMENT - 1, count)
    await database.pool.query(STORED_PAYMENTS, [first, last, until, count, JSON.stringify(invoice)])
    await database.pool.query(STORED_HISTORY, [first, last])
  }
  await database.pool.query('vacuum analyze payments, payment_history')
  await database.pool.query('checkpoint')
}
