/** Queries on the submission of payrolls: state, lease and schedule, which of their orders users are signing or cancelling, and what is open. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { isUnleased } from '../../platform/jobs/lease.ts'
import type { Payroll, PayrollState } from '../payroll.ts'

/** A state transition, and when the payroll is processed next; null if nothing is left to do. */
export type StateChange = {
  readonly from: PayrollState
  readonly to: PayrollState
  readonly text: string | null
  readonly nextRunAt: Temporal.Instant | null
}

/** How a turn at the submission of a payroll ended. */
export type SubmissionTurnResult = {
  /** When the rest is submitted; null when a request of another user is needed. */
  readonly submitAt: Temporal.Instant | null
  /** Since when no order could be submitted; null if one could. */
  readonly failedSince: Temporal.Instant | null
  /** What prevents the rest from being submitted, in our own words. */
  readonly text: string | null
  readonly needsUser: boolean
  /** A payroll with an equal transaction whose outcome is unknown. */
  readonly blockedBy: string | null
}

/**
 * Releases the lease and schedules the next turn while transactions are left. Another process may have returned one to
 * the queue meanwhile, so this is determined by the statement itself.
 */
export async function recordSubmissionTurn(
  database: Queryable,
  { partnerId, id }: RowKey,
  { submitAt, failedSince, text, needsUser, blockedBy }: SubmissionTurnResult,
): Promise<void> {
  await sql`
    update payrolls set lease_until = null, blocked_by_payroll_id = ${blockedBy}::uuid,
      state_text = case when state = 'submitting' then ${text}::text else state_text end,
      submission_needs_user = ${needsUser}, submission_failed_since = ${failedSince?.toString() ?? null}::timestamptz,
      submit_at = case when state = 'submitting' and exists (
          select from payroll_transactions t where t.partner_id = payrolls.partner_id and t.payroll_id = payrolls.id
            and t.payment_id is null and t.status is null)
        then ${submitAt?.toString() ?? null}::timestamptz end
    where partner_id = ${partnerId} and id = ${id}`.execute(database.query)
}

/**
 * Makes the rest of a payroll due now, unless a process is submitting it. The consent replaces the recorded one only if
 * the submission has stopped for lack of one: a user who may not pay must not hold up a submission that proceeds.
 */
export async function requestSubmission(
  database: Queryable,
  { partnerId, id }: RowKey,
  {
    consentId,
    now,
    real,
  }: { readonly consentId: string; readonly now: Temporal.Instant; readonly real: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    update payrolls set submit_at = least(submit_at, ${now.toString()}::timestamptz),
      submission_consent_id = case when submission_needs_user then ${consentId}::uuid else submission_consent_id end,
      submission_needs_user = false
    where partner_id = ${partnerId} and id = ${id} and state = 'submitting'
      and ${isUnleased(real)}
      and (submit_at is null or submit_at > ${now.toString()}::timestamptz or submission_needs_user)
    returning id`.execute(database.query)
  return rows.length === 1
}

/** Whether the payroll is in state `submitting`; the row is locked until the transaction ends. */
export async function lockSubmittingPayroll(transaction: Queryable, { partnerId, id }: RowKey): Promise<boolean> {
  const { rows } = await sql`
    select id from payrolls where partner_id = ${partnerId} and id = ${id} and state = 'submitting'
    for share`.execute(transaction.query)
  return rows.length === 1
}

/** No state that follows is one of submission. Returns false if the payroll is no longer in the state `from`. */
export async function changePayrollState(
  database: Queryable,
  { partnerId, id }: RowKey,
  { from, to, text, nextRunAt }: StateChange,
): Promise<boolean> {
  const { rows } = await sql`
    update payrolls set state = ${to}, state_text = ${text}, submit_at = null,
      next_run_at = ${nextRunAt?.toString() ?? null}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and state = ${from}
    returning id`.execute(database.query)
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
    where partner_id = ${partnerId} and id = ${id}`.execute(database.query)
}

/** The orders that a user is about to sign or is cancelling; background jobs must not cancel these. */
export async function listReservedOrderIds(
  database: Queryable,
  { partnerId, id }: RowKey,
  real: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select o.id from payments o
    where o.partner_id = ${partnerId} and o.payroll_id = ${id} and (
      exists (select from approval_leases h where h.partner_id = ${partnerId} and h.payment_id = o.id
        and not ${isUnleased(real, 'h.lease_until')})
      -- Banks withdraw nothing that is tied to others; a basket that nobody will sign is untied by a sweep of its own.
      or exists (select from approval_basket_payments t
        join approval_baskets b on b.partner_id = t.partner_id and b.id = t.basket_id
        where t.partner_id = ${partnerId} and t.payment_id = o.id and b.state in ('in-flight', 'unsigned'))
      or exists (select from cancellations c where c.partner_id = ${partnerId} and c.payment_id = o.id
        and c.status in ('REQUESTED', 'AUTHORIZATION_REQUIRED')))`.execute(database.query)
  return new Set(rows.map(({ id: orderId }) => orderId))
}

/** Payrolls of which transactions are still to be submitted, one by one or in a file. */
export async function listPayrollsInSubmission(
  database: Queryable,
): Promise<readonly Pick<Payroll, 'partnerId' | 'id' | 'bic' | 'submissionMode'>[]> {
  const { rows } = await sql<Payroll>`
    select partner_id as "partnerId", id, bic, submission_mode as "submissionMode" from payrolls
    where next_run_at is not null and state = 'submitting'
    union
    select p.partner_id, p.id, p.bic, p.submission_mode from payment_files f
    join payments o on o.partner_id = f.partner_id and o.id = f.id
    join payrolls p on p.partner_id = o.partner_id and p.id = o.payroll_id
    where f.due_at is not null and f.state in ('waiting', 'prepared')`.execute(database.query)
  return rows
}

/** Payrolls that are not final, by state. */
type OpenPayrollCount = {
  readonly state: PayrollState
  readonly count: number
  /** When the oldest of those without a lease was created. */
  readonly oldest: Temporal.Instant | null
}

/** Counts payrolls that are not final, by the index of due rows. */
export async function countOpenPayrolls(
  database: Queryable,
  real: Temporal.Instant,
): Promise<readonly OpenPayrollCount[]> {
  const { rows } = await sql<OpenPayrollCount>`
    select state, count(*)::int as count,
      min(created_at) filter (where ${isUnleased(real)}) as oldest
    from payrolls where next_run_at is not null group by state`.execute(database.query)
  return rows
}
