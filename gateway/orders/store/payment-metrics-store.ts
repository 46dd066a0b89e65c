/** Holds the queries for payment metrics, which cover all partners. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Database } from '../../platform/database/database.ts'
import { paymentTables } from './payment-store.ts'

/** The number of open payments of a status by time since their last change. */
export type OpenCount = { readonly status: PaymentStatusValue; readonly age: string; readonly count: bigint }

/** Counts through the index of payments that are polled. */
export async function countOpenPayments(
  database: Database<unknown>,
  now: Temporal.Instant,
): Promise<readonly OpenCount[]> {
  const at = sql`${now.toString()}::timestamptz`
  const { rows } = await sql<OpenCount>`
    select status, age, count(*) as count from (
      select status, case when changed_at > ${at} - interval '1 hour' then 'hour'
        when changed_at > ${at} - interval '1 day' then 'day'
        when changed_at > ${at} - interval '7 days' then 'week' else 'older' end as age
      from payments where poll_at is not null and final_since is null) open
    group by status, age`.execute(paymentTables(database))
  return rows
}
