/** Holds the statements that end a submission otherwise than by its acknowledgement. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import {
  deleteOpenRequestsSql,
  markOpenRequestsUnknownSql,
} from '../../platform/http/idempotency/idempotency-fragments.ts'
import type { SubmissionOutcome } from '../payment.ts'
import { bulkIdOf } from '../payroll-order.ts'
import type { PaymentKey } from './payment-store.ts'

/**
 * Deletes an order that the bank certainly did not accept and releases its idempotency key, even after recovery has
 * taken over. Returns the previous outcome, or undefined when it was settled meanwhile.
 */
export async function deleteSubmission(
  database: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<SubmissionOutcome | undefined> {
  const { rows } = await sql<{ outcome: SubmissionOutcome }>`
    with dropped as (
      delete from payments where partner_id = ${partnerId} and id = ${id} and outcome in ('in-flight', 'unknown')
      returning outcome, idempotency_operation as operation, idempotency_key as key),
    freed as (${deleteOpenRequestsSql(partnerId, 'dropped')})
    select outcome from dropped`.execute(database.query)
  return rows[0]?.outcome
}

/** Marks the outcome of an order as unknown, also under its idempotency key. Returns false when it was settled. */
export async function recordUnknownOutcome(
  { query }: Database<unknown>,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await sql`
    with marked as (
      update payments set outcome = 'unknown', recover_at = null, lease_until = null
      where partner_id = ${partnerId} and id = ${id} and outcome = 'in-flight'
      returning id, idempotency_operation as operation, idempotency_key as key),
    keys as (${markOpenRequestsUnknownSql(partnerId, 'marked')})
    select id from marked`.execute(query)
  return rows.length === 1
}

/** Runs in the transaction that stores the order; returns the id that Havn assigns for the bank. */
export async function recordFileOrderQueued({ query }: Queryable, key: PaymentKey): Promise<string> {
  const messageId = bulkIdOf(key.id)
  await sql`
    update payments set outcome = 'known', bank_payment_id = ${messageId}, recover_at = null, poll_at = null
    where ${hasKey(key)}`.execute(query)
  return messageId
}
