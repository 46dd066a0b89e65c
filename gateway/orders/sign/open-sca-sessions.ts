/** Keeps two users from signing or cancelling the same payments at once: leases payments, ends older SCA sessions unless their user may be signing, and decides passed deadlines. */

import { sql } from 'kysely'
import type { ApprovalStatus } from '../../../contract/approvals.ts'
import { findScaSessionsOf, reloadScaSession, type TargetSessions } from '../../authorisations/find-sca-sessions.ts'
import {
  completeScaSession,
  refreshScaSession,
  tryRefreshScaSession,
} from '../../authorisations/refresh-sca-session.ts'
import { findLateSignature } from '../../authorisations/resume-sca-session.ts'
import { openScaStep, type ScaSession, type ScaSubject } from '../../authorisations/sca-session.ts'
import { isOver, type ScaSessionState } from '../../authorisations/sca-session-state.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { isUnleased, leaseFor } from '../../platform/jobs/lease.ts'
import { decideExchangeAtDeadline } from '../exchange/decide-exchange-at-deadline.ts'
import { findOrderOf } from '../find-orders.ts'
import { instructionOf } from '../instruction.ts'
import type { Payment } from '../payment.ts'
import type { Approval } from './approval.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'
import { listBasketIds } from './approval-store.ts'

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while a user may be signing one of them at the bank. */
export async function supersedeScaSessions(
  context: Context,
  partnerId: string,
  payments: readonly Payment[],
): Promise<void> {
  for (const session of await scaSessionsOf(context, partnerId, payments, 'open')) {
    if (session.kind !== 'approval' || (await endUnlessBusy(context, session)).at !== 'end') {
      throw sessionBusyError(session, payments)
    }
  }
}

function sessionBusyError({ kind, subjectId }: ScaSession, payments: readonly Payment[]): Error {
  const what = payments.map(instructionOf)[0]?.path ?? 'payments'
  const [doing, operation] = kind === 'approval' ? ['signing', 'approve'] : ['signing the cancellation of', 'cancel']
  const message =
    `A user is ${doing} one of these at the bank. Wait until they have finished, have the user open the same link again, or ` +
    `abandon it with DELETE /api/v2/${what}/${operation}/${subjectId}`
  return apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message)
}

/** The approvals whose baskets such sessions sign. */
const statusesBySession = {
  open: ['STARTED'],
  'signable late': ['STARTED', 'ACCEPTED', 'REJECTED', 'CANCELLED'],
} as const satisfies Readonly<Record<TargetSessions, readonly ApprovalStatus[]>>

/** Sessions of these payments, or of their baskets. */
export async function scaSessionsOf(
  context: Context,
  partnerId: string,
  payments: readonly Payment[],
  which: TargetSessions,
): Promise<readonly ScaSession[]> {
  const ids = payments.map(({ id }) => id)
  const basketIds = await listBasketIds(context.database, partnerId, ids, statusesBySession[which])
  return await findScaSessionsOf(context, partnerId, [...ids, ...basketIds], which)
}

/**
 * A user who is redirected to the bank at the same moment takes precedence and may sign. A session that cannot be read at
 * the bank counts as open: the cause may be its consent, so it is no error of this request.
 */
async function endUnlessBusy(context: Context, session: ScaSession): Promise<ScaSessionState> {
  if (session.status !== 'waiting' && !(await isQrCodeUnscanned(context, approvalScaSubject, session))) {
    return await tryRefreshScaSession(context, approvalScaSubject, session)
  }
  const ended = await completeScaSession(context, approvalScaSubject, session, 'cancelled')
  return ended ?? (await endUnlessBusy(context, await reloadScaSession(context, session)))
}

/** A QR code on the page of a partner involves no redirect: until it is scanned, no user is at the bank. */
export async function isQrCodeUnscanned(
  context: Context,
  { read }: Pick<ScaSubject, 'read'>,
  session: ScaSession,
): Promise<boolean> {
  const step = openScaStep(session)
  if (session.status !== 'left' || session.shownBy !== 'partner' || step?.approach !== 'code') {
    return false
  }
  try {
    const { state, scaStatus } = await read(context, session, step)
    return state === 'open' && scaStatus === 'received'
  } catch (error) {
    if (error instanceof BankError) {
      return false
    }
    throw error
  }
}

/** Returns false if the bank did not report the state of one of them, which may be signed. */
export async function refreshApprovalScaSessions(context: Context, payment: Payment): Promise<boolean> {
  const open = await scaSessionsOf(context, payment.partnerId, [payment], 'open')
  const sessions = open.filter(({ kind }) => kind === 'approval')
  if (!(await endExpiredWaiting(context, sessions))) {
    return false
  }
  const started = sessions.filter(({ status }) => status !== 'waiting')
  const ended = await scaSessionsOf(context, payment.partnerId, [payment], 'signable late')
  try {
    for (const session of ended.filter(({ kind }) => kind === 'approval')) {
      await findLateSignature(context, approvalScaSubject, session)
    }
    for (const session of started) {
      await refreshScaSession(context, approvalScaSubject, session)
    }
    // A session that has ended with an open step has expired here; its state at the bank is unknown.
    const reloaded = await Promise.all(started.map((session) => reloadScaSession(context, session)))
    return !reloaded.some((session) => session.status === 'ended' && openScaStep(session) !== undefined)
  } catch (error) {
    if (error instanceof BankError) {
      context.log.warn({ paymentId: payment.id, errorKind: error.kind }, 'reading an approval at its bank failed')
      return false
    }
    throw error
  }
}

/** Ends those that expired before a user was sent to the bank; returns false if one was sent there at this moment. */
async function endExpiredWaiting(context: Context, sessions: readonly ScaSession[]): Promise<boolean> {
  const expired = sessions.filter((session) => session.status === 'waiting' && isOver(context, session))
  const ended = await Promise.all(
    expired.map((session) => completeScaSession(context, approvalScaSubject, session, 'cancelled')),
  )
  return ended.every((session) => session !== undefined)
}

/** Leaves capacity of the bank's rate limit for other waiting users. */
const DECISIONS_AT_ONCE = 4
const RETRY_AFTER_SECONDS = 10

/**
 * Decides on those payments whose deadline has passed, as the sweep would have if worker and bank had been there. Throws
 * `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the bank does not show whether one was signed in time.
 */
export async function decidePassedDeadlines(context: Context, payments: readonly Payment[]): Promise<void> {
  const now = context.clock.now()
  const overdue = payments.filter((payment) => isPastSigningDeadline(payment, now))
  // A decision that is not due is being made, or waits for the bank.
  const due = overdue.filter(({ decideAt }) => decideAt !== null && Temporal.Instant.compare(decideAt, now) <= 0)
  await mapWithConcurrency(due, DECISIONS_AT_ONCE, (payment) =>
    decideExchangeAtDeadline(context, payment, (one) => refreshApprovalScaSessions(context, one)),
  )
  for (const { partnerId, id } of overdue) {
    if (isPastSigningDeadline(await findOrderOf(context, partnerId, id), now)) {
      throw apiError(
        'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
        `The deadline for the signature of payment ${id} has passed, and its bank does not show yet whether it was signed ` +
          'in time. Nothing can be signed until it does; read the status of the payment',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    }
  }
}

/** It is not known yet whether such an order was signed in time. */
function isPastSigningDeadline({ exchange, deadlineAt }: Payment, now: Temporal.Instant): boolean {
  return exchange === 'unsigned' && deadlineAt !== null && Temporal.Instant.compare(deadlineAt, now) <= 0
}

/** Banks would end the authorisation of the earlier approval. */
export const APPROVAL_IN_PROGRESS = 'Another approval of one of these payments is being started. Try again in a moment'

/**
 * Polling and ending older approvals, deleting their baskets, deciding on passed deadlines, polling orders and
 * resubmitting expired ones, creating a basket, and starting the authorisation. An approval that takes longer is not
 * stored.
 */
const CALLS_PER_LEASE_MAX = 16

/** The approval or cancellation that holds the leases. */
type LeaseHolder = Pick<Approval, 'partnerId' | 'id'>

/**
 * Leases all payments, or none. Expired leases are taken over. Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` if another
 * request holds one.
 */
export async function withPaymentLeases<Result>(
  context: Context,
  holder: LeaseHolder,
  payments: readonly Payment[],
  work: () => Promise<Result>,
): Promise<Result> {
  const lease = leaseFor(context, { seconds: CALLS_PER_LEASE_MAX * callSecondsMax(context.config) })
  // In the order of the key, so that two requests cannot deadlock on them.
  const ids = payments.map(({ id }) => id).toSorted()
  const { rows: acquired } = await sql`
    insert into approval_leases (partner_id, payment_id, approval_id, lease_until)
    select ${holder.partnerId}::uuid, payment_id, ${holder.id}::uuid, ${timestamp(lease.until)}
    from unnest(${ids}::uuid[]) as payment_id
    on conflict (partner_id, payment_id) do update
      set approval_id = excluded.approval_id, lease_until = excluded.lease_until
      where ${isUnleased(lease.at, 'approval_leases.lease_until')}
    returning payment_id`.execute(context.database.query)
  try {
    if (acquired.length < ids.length) {
      throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', APPROVAL_IN_PROGRESS)
    }
    return await work()
  } finally {
    await releasePaymentLeases(context.database, holder)
  }
}

/** Releases the remaining leases of an approval and returns their number. */
export async function releasePaymentLeases(database: Queryable, { partnerId, id }: LeaseHolder): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from approval_leases where partner_id = ${partnerId} and approval_id = ${id}`.execute(database.query)
  return Number(numAffectedRows)
}
