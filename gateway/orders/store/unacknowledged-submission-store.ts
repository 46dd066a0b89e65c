/** Holds the statements that end a submission without an acknowledgement: rejected, or with an unknown outcome. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { SubmissionOutcome } from '../payment.ts'
import { paymentTables } from './payment-store.ts'

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
    freed as (
      delete from idempotency k using dropped d
      where k.partner_id = ${partnerId} and k.operation = d.operation and k.key = d.key and k.status is null)
    select outcome from dropped`.execute(paymentTables(database))
  return rows[0]?.outcome
}

/** Marks the outcome of an order as unknown, also under its idempotency key. Returns false when it was settled. */
export async function recordUnknownOutcome(
  database: Database<unknown>,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await database.pool.query(
    `with marked as (
       update payments set outcome = 'unknown', recover_at = null, lease_until = null
       where partner_id = $1 and id = $2 and outcome = 'in-flight'
       returning id, idempotency_operation as operation, idempotency_key as key),
     keys as (
       update idempotency k set outcome_unknown = true from marked m
       where k.partner_id = $1 and k.operation = m.operation and k.key = m.key and k.status is null)
     select id from marked`,
    [partnerId, id],
  )
  return rows.length === 1
}
