/** Stores the end of an SCA session: the outcome is claimed, and the session closed once its owner is notified. */
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { openScaStep, type ScaOutcome, type ScaSession, type ScaStep, UNDECIDED_STATUSES } from '../sca-session.ts'
import { listScaSteps } from './sca-session-store.ts'
import { type ScaSessionKey, type ScaSessionTables, scaSessionTables } from './sca-session-tables.ts'

/**
 * The outcome, when it was decided, and until when the deciding process may notify the owner; then the poll job does.
 */
export type ScaDecision = {
  readonly outcome: ScaOutcome
  readonly at: Temporal.Instant
  readonly notificationLeaseUntil: Temporal.Instant
}

/**
 * Decides the outcome if the session is unchanged since it was read, and returns it decided; undefined when its status,
 * its trust or a step has changed, so that no outcome is based on stale data.
 */
export async function recordScaDecision(
  database: Database<unknown>,
  session: ScaSession,
  { outcome, at, notificationLeaseUntil }: ScaDecision,
): Promise<ScaSession | undefined> {
  return await updateUndecidedScaSession(database, session, async (transaction, stored) => {
    const steps = await listScaSteps(transaction, session)
    const isSame = stored.status === session.status && stored.isTrusted === (session.trustedAt !== null)
    if (!isSame || !steps.every((step, n) => isAsRead(step, session.steps[n]))) {
      return undefined
    }
    await transaction
      .updateTable('sca_sessions')
      .set({
        status: 'decided',
        outcome,
        link_sealed: null,
        ended_at: at.toString(),
        due_at: notificationLeaseUntil.toString(),
      })
      .where('partner_id', '=', session.partnerId)
      .where('id', '=', session.id)
      .execute()
    return { ...session, status: 'decided', outcome, linkSealed: null, endedAt: at, steps }
  })
}

/** A code renewed since then is another authorisation, which was not read at the bank. */
function isAsRead(stored: ScaStep, read: ScaStep | undefined): boolean {
  return stored.state === read?.state && stored.authorisationId === read.authorisationId
}

/**
 * Acquires the lease to notify the owner of a decided outcome; false while another process holds it, or once notified.
 */
export async function acquireOwnerNotificationLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  { at, notificationLeaseUntil }: Pick<ScaDecision, 'at' | 'notificationLeaseUntil'>,
): Promise<boolean> {
  const { numUpdatedRows } = await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ due_at: notificationLeaseUntil.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'decided')
    .where('due_at', '<=', sql<Temporal.Instant>`${at.toString()}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases the lease after a failure: the next attempt is due then. */
export async function releaseOwnerNotificationLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  retryAt: Temporal.Instant,
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ due_at: retryAt.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'decided')
    .execute()
}

/**
 * Closes a decided session with its owner's result, and schedules the poll for a late signature if an authorisation is
 * open at the bank, even one that started since the outcome was claimed.
 */
export async function recordScaSessionEnded(
  database: Database<unknown>,
  key: ScaSessionKey,
  {
    outcome,
    lateSignaturePollAt,
  }: { readonly outcome: ScaOutcome; readonly lateSignaturePollAt: Temporal.Instant | null },
): Promise<void> {
  await scaSessionTables(database)
    .transaction()
    .execute(async (transaction) => {
      if ((await lockScaSession(transaction, key))?.status === 'decided') {
        const isOpenAtBank = openScaStep({ steps: await listScaSteps(transaction, key) }) !== undefined
        await transaction
          .updateTable('sca_sessions')
          .set({ status: 'ended', outcome, due_at: isOpenAtBank ? (lateSignaturePollAt?.toString() ?? null) : null })
          .where('partner_id', '=', key.partnerId)
          .where('id', '=', key.id)
          .execute()
      }
    })
}

/** Locks the row of a session and returns its status. */
export async function lockScaSession(
  transaction: Transaction<ScaSessionTables>,
  key: ScaSessionKey,
): Promise<Pick<ScaSession, 'status'> | undefined> {
  return await transaction
    .selectFrom('sca_sessions')
    .select('status')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .forUpdate()
    .executeTakeFirst()
}

/** Stops polling for a late signature. */
export async function stopLateSignaturePolling(database: Database<unknown>, key: ScaSessionKey): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ due_at: null, lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ended')
    .execute()
}

/** Postpones the next poll for a late signature. */
export async function postponeLateSignaturePoll(
  database: Database<unknown>,
  key: ScaSessionKey,
  dueAt: Temporal.Instant,
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ due_at: dueAt.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ended')
    .where('due_at', 'is not', null)
    .execute()
}

type StoredState = Pick<ScaSession, 'status'> & { readonly isTrusted: boolean }

/** Writes to a session under its row lock; undefined, without effect, when its outcome is decided. */
export async function updateUndecidedScaSession<Result>(
  database: Database<unknown>,
  key: ScaSessionKey,
  write: (transaction: Transaction<ScaSessionTables>, stored: StoredState) => Promise<Result>,
): Promise<Result | undefined> {
  return await scaSessionTables(database)
    .transaction()
    .execute(async (transaction) => {
      const row = await transaction
        .selectFrom('sca_sessions')
        .select(['status', 'trusted_at as trustedAt'])
        .where('partner_id', '=', key.partnerId)
        .where('id', '=', key.id)
        .where('status', 'in', UNDECIDED_STATUSES)
        .forUpdate()
        .executeTakeFirst()
      return row && (await write(transaction, { status: row.status, isTrusted: row.trustedAt !== null }))
    })
}
