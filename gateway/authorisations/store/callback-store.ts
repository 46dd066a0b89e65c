/** Stores what users and banks do with a session: redirects, returns with a callback, trust in a browser, notifications. */
import { sql } from 'kysely'
import { rowOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUnleased, type Lease, releaseLease } from '../../platform/jobs/lease.ts'
import type { ScaSession, ScaStep } from '../sca-session.ts'
import {
  type ScaSessionKey,
  scaSessionTables,
  updateScaSession,
  updateScaStep,
  updateUndecidedScaSession,
} from './sca-session-tables.ts'

/** The client that a step is signed from. */
export type SignatureEvidence = {
  readonly ipAddress: string
  readonly userAgent: string
  /** The language that it was shown in. */
  readonly language: string
}

/** The browser that leaves, in business time and wall time, and the open step that it leaves for, if there is one. */
export type Redirect = {
  readonly browserHash: string
  readonly at: Temporal.Instant
  readonly dueAt: Temporal.Instant
  readonly position: number | null
  readonly evidence: SignatureEvidence
  readonly leftAt: Temporal.Instant
}

/** Records the redirect to the bank; false when another browser has used the link. */
export async function recordRedirected(
  database: Database<unknown>,
  { partnerId, id }: ScaSessionKey,
  { browserHash, at, dueAt, position, evidence, leftAt }: Redirect,
): Promise<boolean> {
  const { rows } = await sql`
    with session as (
      update sca_sessions set status = 'left', browser_hash = ${browserHash}, left_at = ${at.toString()},
        due_at = ${dueAt.toString()}, version = version + 1
      where partner_id = ${partnerId} and id = ${id} and status in ('waiting', 'left')
        and (browser_hash is null or browser_hash = ${browserHash}) returning id),
    step as (
      update sca_steps t set ip_address = ${evidence.ipAddress}, user_agent = ${evidence.userAgent},
        language = ${evidence.language}, left_at = ${leftAt.toString()} from session
      where t.partner_id = ${partnerId} and t.sca_session_id = ${id} and t.position = ${position}::int)
    select id from session`.execute(database.query)
  return rows.length === 1
}

/** Records the client that a browser leaves from for a step that has just been started. */
export async function recordStepRedirected(
  database: Database<unknown>,
  key: ScaSessionKey,
  { evidence, leftAt, ...step }: Pick<Redirect, 'evidence' | 'leftAt'> & { readonly position: number },
): Promise<void> {
  const { ipAddress, userAgent, language } = evidence
  await updateScaStep(scaSessionTables(database), key, step)
    .set({ ip_address: ipAddress, user_agent: userAgent, language, left_at: leftAt.toString() })
    .execute()
}

/** Records the return of a step's browser; true when the bank is to be read: not if it was since `quietSince`. */
export async function recordStepReturned(
  database: Database<unknown>,
  key: ScaSessionKey,
  returnHash: string,
  times: { readonly at: Temporal.Instant; readonly quietSince: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ returned_at: times.at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where(sql<boolean>`(returned_at is null or returned_at <= ${times.quietSince.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A callback and the step that it returned to. */
export type BankCallback = { readonly returnHash: string; readonly callbackHash: string }

/** Acquires the lease; false when the bank has answered this callback before, or another process is passing it on. */
export async function acquireCallbackLease(
  database: Database<unknown>,
  { partnerId, id }: ScaSessionKey,
  { returnHash, callbackHash }: BankCallback,
  { at, until }: Lease,
): Promise<boolean> {
  // A callback that the bank has answered has no lease any more.
  const isUnanswered = sql<boolean>`callback_lease_until is not null and ${isUnleased(at, 'callback_lease_until')}`
  const { numUpdatedRows } = await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ callback_hash: callbackHash, callback_lease_until: until.toString() })
    .where('partner_id', '=', partnerId)
    .where('sca_session_id', '=', id)
    .where('return_hash', '=', returnHash)
    .where(sql<boolean>`(callback_hash is distinct from ${callbackHash} or ${isUnanswered})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases the lease: the bank has answered for good, or the same callback may be passed again. */
export async function releaseCallbackLease(
  database: Database<unknown>,
  { partnerId, id }: ScaSessionKey,
  { returnHash, callbackHash }: BankCallback,
  { isAnswered }: { readonly isAnswered: boolean },
): Promise<void> {
  const key = { partner_id: partnerId, sca_session_id: id, return_hash: returnHash }
  await releaseLease(
    database,
    { table: 'sca_steps', key, column: 'callback_lease_until' },
    { set: isAnswered ? {} : { callback_hash: null }, where: sql<boolean>`callback_hash = ${callbackHash}` },
  )
}

/** The browser that returned: it is trusted, or it returned in place of the one that left, and may confirm. */
type ReturnedBrowser =
  | { readonly trustedBy: 'return'; readonly trustedAt: Temporal.Instant }
  | { readonly confirmHash: string }

/** Records the browser that returned from a step, unless a later step has started; earlier trust is not changed. */
export async function recordReturnedBrowser(
  database: Database<unknown>,
  key: ScaSessionKey,
  position: number,
  browser: ReturnedBrowser,
): Promise<void> {
  await updateUndecidedScaSession(database, key, async (tables) => {
    // The row of the session is locked, so that no step starts meanwhile.
    const later = await tables
      .selectFrom('sca_steps')
      .select('position')
      .where('partner_id', '=', key.partnerId)
      .where('sca_session_id', '=', key.id)
      .where('position', '>', position)
      .where('state', '<>', 'pending')
      .executeTakeFirst()
    if (later === undefined) {
      await updateScaSession(tables, key).set(rowOf(browser)).where('trusted_at', 'is', null).execute()
    }
  })
}

/** The confirmation of the browser that returned. */
export type UserConfirmation = {
  readonly confirmHash: string
  /**
   * Whether more is to be signed: then the session moves to this browser, and the other one gets no further redirect.
   */
  readonly hasFurtherSteps: boolean
  readonly at: Temporal.Instant
}

/** Trusts the session by the confirmation of the browser that returned. */
export async function trustConfirmedBrowser(
  database: Database<unknown>,
  key: ScaSessionKey,
  { confirmHash, hasFurtherSteps, at }: UserConfirmation,
): Promise<void> {
  await updateUndecidedScaSession(database, key, async (tables) => {
    await updateScaSession(tables, key)
      .set({
        trusted_by: 'confirmation',
        trusted_at: at.toString(),
        ...(hasFurtherSteps ? { browser_hash: confirmHash } : {}),
      })
      .where('trusted_at', 'is', null)
      .where('confirm_hash', '=', confirmHash)
      .execute()
  })
}

/** What a bank has notified of. */
export type NotifiedScaTarget = Pick<ScaSession, 'partnerId' | 'kind' | 'status'> &
  Pick<ScaStep, 'targetType' | 'targetId'>

/**
 * When the session becomes due; and, in wall time, when the notification arrived, and since when an earlier one
 * suppresses it.
 */
type NotificationTimes = {
  readonly dueAt: Temporal.Instant
  readonly at: Temporal.Instant
  readonly quietSince: Temporal.Instant
}

/**
 * Brings the next poll of a session that a user may be signing forward, unless there was a notification since
 * `quietSince`. Returns what the bank notified of; undefined where the hash is that of no step.
 */
export async function recordBankNotified(
  database: Database<unknown>,
  { partnerId, id }: ScaSessionKey,
  notificationHash: string,
  { dueAt, at, quietSince }: NotificationTimes,
): Promise<NotifiedScaTarget | undefined> {
  const { rows } = await sql<NotifiedScaTarget>`
    with notified as (
      select s.partner_id as "partnerId", s.kind, s.status, t.target_type as "targetType", t.target_id as "targetId"
      from sca_sessions s join sca_steps t on t.partner_id = s.partner_id and t.sca_session_id = s.id
      where s.partner_id = ${partnerId} and s.id = ${id} and t.notification_hash = ${notificationHash}),
    expedited as (
      update sca_sessions set due_at = ${dueAt.toString()}, bank_notified_at = ${at.toString()}
      where partner_id = ${partnerId} and id = ${id} and exists (select from notified) and status = 'left'
        and (bank_notified_at is null or bank_notified_at <= ${quietSince.toString()}) and due_at > ${dueAt.toString()})
    select * from notified`.execute(database.query)
  return rows[0]
}
