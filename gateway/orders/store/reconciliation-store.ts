/** Holds the queries that compare orders at banks and in the log with the database. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Payment } from '../payment.ts'

/** What the database holds under an endToEndId. */
export type NamedPayment = Pick<Payment, 'id' | 'endToEndId' | 'status' | 'outcome' | 'payrollId'>

/** Returns the partner's payments and payroll orders with one of these endToEndIds. */
export async function listPaymentsNamed(
  { query }: Database<unknown>,
  partnerId: string,
  endToEndIds: readonly string[],
): Promise<readonly NamedPayment[]> {
  // By the partner's id as text, so that the index on endToEndIds serves (decision 0085).
  const { rows } = await sql<NamedPayment>`
    select id, end_to_end_id as "endToEndId", status, outcome, payroll_id as "payrollId" from payments
    where end_to_end_id = any(${[...endToEndIds]}::text[]) and partner_id::text = ${partnerId}`.execute(query)
  return rows
}

/** Partners write their ids in few forms, so that their newest orders show them. */
const IDS_READ = 2_000

/** Returns the endToEndIds of the partner's newest orders. */
export async function listRecentEndToEndIds(
  { query }: Database<unknown>,
  partnerId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<Pick<Payment, 'endToEndId'>>`
    select end_to_end_id as "endToEndId" from payments where partner_id = ${partnerId}
    order by id desc limit ${IDS_READ}`.execute(query)
  return rows.map(({ endToEndId }) => endToEndId)
}

/** Returns which of these requests to banks the database holds, for a payment or for an order of it that expired. */
export async function listKnownBankRequests(
  { query }: Database<unknown>,
  partnerId: string,
  requests: readonly { readonly paymentId: string; readonly bankRequestId: string }[],
): Promise<ReadonlySet<string>> {
  const paymentIds = requests.map(({ paymentId }) => paymentId)
  const { rows } = await sql<{ id: string }>`
    select bank_request_id as id from payments
    where partner_id = ${partnerId} and id = any(${paymentIds}::uuid[])
    union all
    select bank_request_id from expired_orders
    where partner_id = ${partnerId} and payment_id = any(${paymentIds}::uuid[])`.execute(query)
  return new Set(rows.map(({ id }) => id))
}
