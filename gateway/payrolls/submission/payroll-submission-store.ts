/** Queries on the submission of payrolls: state, lease and schedule. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import type { PayrollState } from '../payroll.ts'

/** A state transition, and when the payroll is processed next; null if nothing is left to do. */
export type StateChange = {
  readonly from: PayrollState
  readonly to: PayrollState
  readonly text: string | null
  readonly nextRunAt: Temporal.Instant | null
}

const raw = (database: Queryable): Kysely<unknown> => database.query

/** Acquires the submission lease until a wall time. Returns false if all is submitted or another process has the lease. */
export async function acquireSubmissionLease(
  database: Queryable,
  { partnerId, id }: RowKey,
  { real, until }: { readonly real: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    update payrolls set lease_until = ${until.toString()}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and state = 'submitting'
      and (lease_until is null or lease_until < ${real.toString()}::timestamptz)
    returning id`.execute(raw(database))
  return rows.length === 1
}

/** Extends a lease that this process holds. */
export async function extendSubmissionLease(
  database: Queryable,
  { partnerId, id }: RowKey,
  until: Temporal.Instant,
): Promise<void> {
  await sql`
    update payrolls set lease_until = ${until.toString()}::timestamptz
    where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
}

/** What prevents the rest of a payroll from being submitted: the bank's message, or a payroll with an equal transaction. */
export type SubmissionObstacle = {
  readonly temporaryFailure: string | null
  readonly blockedByPayrollId: string | null
}

/** Releases a lease and records what prevented the rest from being submitted. */
export async function releaseSubmissionLease(
  database: Queryable,
  { partnerId, id }: RowKey,
  { temporaryFailure, blockedByPayrollId }: SubmissionObstacle,
): Promise<void> {
  await sql`
    update payrolls set lease_until = null, blocked_by_payroll_id = ${blockedByPayrollId}::uuid,
      state_text = case when state = 'submitting' then ${temporaryFailure}::text else state_text end
    where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
}

/** Whether the payroll is in state `submitting`; the row is locked until the transaction ends. */
export async function lockSubmittingPayroll(transaction: Queryable, { partnerId, id }: RowKey): Promise<boolean> {
  const { rows } = await sql`
    select id from payrolls where partner_id = ${partnerId} and id = ${id} and state = 'submitting'
    for share`.execute(raw(transaction))
  return rows.length === 1
}

/** The id of the payroll that blocks the submission of this one. */
export async function findBlockingPayroll(database: Queryable, { partnerId, id }: RowKey): Promise<string | null> {
  const { rows } = await sql<{ blockedByPayrollId: string | null }>`
    select blocked_by_payroll_id as "blockedByPayrollId" from payrolls where partner_id = ${partnerId} and id = ${id}`.execute(
    raw(database),
  )
  return rows[0]?.blockedByPayrollId ?? null
}

/** Returns false if the payroll is no longer in the state `from`. */
export async function changePayrollState(
  database: Queryable,
  { partnerId, id }: RowKey,
  { from, to, text, nextRunAt }: StateChange,
): Promise<boolean> {
  const { rows } = await sql`
    update payrolls set state = ${to}, state_text = ${text}, next_run_at = ${nextRunAt?.toString() ?? null}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and state = ${from}
    returning id`.execute(raw(database))
  return rows.length === 1
}

/** Releases the lease, and sets the next run unless the state has changed meanwhile. */
export async function reschedulePayroll(
  database: Queryable,
  { partnerId, id }: RowKey,
  { state, nextRunAt }: { readonly state: PayrollState; readonly nextRunAt: Temporal.Instant | null },
): Promise<void> {
  await sql`
    update payrolls set lease_until = null,
      next_run_at = case when state = ${state} then ${nextRunAt?.toString() ?? null}::timestamptz else next_run_at end
    where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
}
