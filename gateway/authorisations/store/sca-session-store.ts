/** Stores SCA sessions: a new one, what the bank reports of it, its outcome and end, and when it is polled next. */
import { type RawBuilder, sql } from 'kysely'
import { rowOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { releaseLease } from '../../platform/jobs/lease.ts'
import { openScaStep, type ScaOutcome, type ScaSession, type ScaStep } from '../sca-session.ts'
import { type NewScaStep, type ScaSessionKey, scaSessionTables, updateScaSession } from './sca-session-tables.ts'

/** A session as it is first stored. */
export type NewScaSession = Omit<
  ScaSession,
  'browserHash' | 'trustedAt' | 'confirmHash' | 'outcome' | 'endedAt' | 'readAt' | 'version' | 'steps'
> & { readonly steps: readonly NewScaStep[] }

/** Stores a new session in the transaction of its owner. */
export async function insertScaSession(transaction: Queryable, { steps, ...session }: NewScaSession): Promise<void> {
  const leftAt = session.status === 'left' ? session.createdAt : null
  await scaSessionTables(transaction)
    .with('session', (query) => query.insertInto('sca_sessions').values(rowOf({ ...session, leftAt })))
    .insertInto('sca_steps')
    .values(
      steps.map((step) => ({
        partner_id: session.partnerId,
        sca_session_id: session.id,
        ...rowOf(step),
        shown: JSON.stringify(step.shown),
      })),
    )
    .execute()
}

/** What the bank reported of the open step. */
export type StepReport = Pick<ScaStep, 'position' | 'state'> & {
  readonly authorisationId: string
  readonly scaStatus: string
  /** Over at the bank, with an outcome that is not visible yet. */
  readonly isOver: boolean
  /** Wall time. */
  readonly at: Temporal.Instant
}

/** Whether a report ends the step, which changes the version of the session. */
export function endsStep(report: StepReport | undefined): boolean {
  return report !== undefined && report.state !== 'open'
}

/** Updates the step, if it is still open with this authorisation, together with its `session`. */
function reportedStep({ partnerId, id }: ScaSessionKey, report: StepReport | undefined): RawBuilder<unknown> {
  if (report === undefined) {
    return sql``
  }
  const { position, authorisationId, state, scaStatus, isOver, at } = report
  const endedAt =
    isOver || endsStep(report) ? sql`coalesce(t.ended_at, ${at.toString()}::timestamptz)` : sql`t.ended_at`
  return sql`, step as (
    update sca_steps t set state = ${state}, sca_status = ${scaStatus}, ended_at = ${endedAt} from session
    where t.partner_id = ${partnerId} and t.sca_session_id = ${id} and t.position = ${position}
      and t.state = 'open' and t.authorisation_id = ${authorisationId})`
}

/** When the bank was read and is read next, and what it reported. */
type Poll = {
  readonly at: Temporal.Instant
  readonly dueAt: Temporal.Instant
  readonly report?: StepReport | undefined
}

/** Records a poll; the poll job's lease is not changed, and nothing is once the outcome is decided. */
export async function recordScaSessionPolled(
  database: Database<unknown>,
  key: ScaSessionKey,
  { at, dueAt, report }: Poll,
): Promise<void> {
  await sql`
    with session as (
      update sca_sessions set read_at = ${at.toString()}, due_at = ${dueAt.toString()},
        version = version + ${endsStep(report) ? 1 : 0}
      where partner_id = ${key.partnerId} and id = ${key.id} and status in ('waiting', 'left') returning id)
    ${reportedStep(key, report)}
    select id from session`.execute(database.query)
}

/**
 * The outcome, when it was decided, and until when the deciding process may notify the owner; then the poll job does.
 */
export type ScaDecision = {
  readonly outcome: ScaOutcome
  readonly at: Temporal.Instant
  readonly notificationLeaseUntil: Temporal.Instant
  /** The report that decides it. */
  readonly report?: StepReport | undefined
}

/**
 * Decides the outcome if the session is unchanged since it was read, and returns it decided; undefined when its status,
 * its trust or a step has changed, so that no outcome is based on stale data.
 */
export async function recordScaDecision(
  database: Database<unknown>,
  session: ScaSession,
  { outcome, at, notificationLeaseUntil, report }: ScaDecision,
): Promise<ScaSession | undefined> {
  const { rows } = await sql<{ version: number }>`
    with session as (
      update sca_sessions set status = 'decided', outcome = ${outcome}, link_sealed = null, ended_at = ${at.toString()},
        due_at = ${notificationLeaseUntil.toString()}, version = version + 1
      where partner_id = ${session.partnerId} and id = ${session.id} and status in ('waiting', 'left')
        and version = ${session.version} returning version)
    ${reportedStep(session, report)}
    select version from session`.execute(database.query)
  const [decided] = rows
  return decided && { ...session, status: 'decided', outcome, linkSealed: null, endedAt: at, version: decided.version }
}

/**
 * Acquires the lease to notify the owner of a decided outcome; false while another process holds it, or once notified.
 */
export async function acquireOwnerNotificationLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  { at, notificationLeaseUntil }: Pick<ScaDecision, 'at' | 'notificationLeaseUntil'>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateScaSession(scaSessionTables(database), key)
    .set({ due_at: notificationLeaseUntil.toString() })
    .where('status', '=', 'decided')
    .where('due_at', '<=', sql<Temporal.Instant>`${at.toString()}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Closes a decided session with its owner's result, and schedules the poll for a late signature if an authorisation is
 * open at the bank. False, without effect, if one has started since the session was read.
 */
export async function recordScaSessionEnded(
  database: Database<unknown>,
  session: ScaSession,
  end: { readonly outcome: ScaOutcome; readonly lateSignaturePollAt: Temporal.Instant | null },
): Promise<boolean> {
  const dueAt = openScaStep(session) === undefined ? null : end.lateSignaturePollAt
  const { numUpdatedRows } = await updateScaSession(scaSessionTables(database), session)
    .set({ due_at: dueAt?.toString() ?? null, status: 'ended', outcome: end.outcome })
    .where('status', '=', 'decided')
    .where('version', '=', session.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets when a session is polled next, or its owner notified; null ends the polls for a late signature. */
export async function scheduleScaPoll(
  database: Database<unknown>,
  { status, ...key }: ScaSessionKey & Pick<ScaSession, 'status'>,
  dueAt: Temporal.Instant | null,
): Promise<void> {
  await updateScaSession(scaSessionTables(database), key)
    .set({ due_at: dueAt?.toString() ?? null })
    .where('status', status === 'ended' ? '=' : '<>', 'ended')
    .where('due_at', 'is not', null)
    .execute()
}

/** Releases the lease of the poll job; only for the job that acquired it. */
export async function releaseScaSessionLease(
  database: Database<unknown>,
  { partnerId, id }: ScaSessionKey,
): Promise<void> {
  await releaseLease(database, { table: 'sca_sessions', key: { partner_id: partnerId, id } })
}
