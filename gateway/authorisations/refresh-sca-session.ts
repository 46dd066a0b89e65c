/** Moves an SCA session on: reads its step at the bank, records that, decides the outcome, and notifies the session's owner. */

import { BankError } from '../banks/connector/bank-error.ts'
import { endsAccess, isBankError, isResourceGone, isTemporary } from '../banks/connector/bank-error-classification.ts'
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import { waitUntil } from '../platform/wait-until.ts'
import { readAuthorisation } from './authorisation/read-authorisation.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { openScaStep, type ScaOutcome, type ScaSession, type ScaSubject, type StartedScaStep } from './sca-session.ts'
import {
  type BankReport,
  currentOutcome,
  isCodeToRenew,
  isExpired,
  isOver,
  isOverUnsigned,
  nextLateSignaturePoll,
  nextPollAt,
  type RefreshedScaSession,
  type ScaSessionState,
  scaSessionStateOf,
  withStoredState,
} from './sca-session-state.ts'
import {
  acquireOwnerNotificationLease,
  endsStep,
  recordScaDecision,
  recordScaSessionEnded,
  recordScaSessionPolled,
  type ScaDecision,
  type StepReport,
  scheduleScaPoll,
} from './store/sca-session-store.ts'

/** Orders are read and followed concurrently; a repeated notification changes nothing. */
const CALLS_MAX = 2
/** Delay before the next attempt when the owner fails. */
const NOTIFY_AGAIN_AFTER = { seconds: 5 }
/** Most owners finish within this time; after it the user sees the waiting page. */
const NOTIFIED_WAITING = { withinMilliseconds: 1_000, everyMilliseconds: 50 }

/** Reads the open step, records the bank's report, and completes the session when nothing is left to sign. */
export async function refreshScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
): Promise<RefreshedScaSession> {
  if (session.outcome !== null) {
    return await notifySessionOwner(context, kind, { ...session, outcome: session.outcome })
  }
  const { report, isUnscanned } = await readOpenStep(context, kind, session)
  const refreshed = report === undefined ? session : withReport(session, report)
  const outcome = currentOutcome(context, refreshed)
  if (outcome !== undefined) {
    const completed = await complete(context, kind, refreshed, { outcome, report })
    return completed ?? (await refreshScaSession(context, kind, await reloadScaSession(context, session)))
  }
  const state: ScaSessionState = isUnscanned ? { at: 'expired' } : scaSessionStateOf(refreshed)
  const dueAt = nextPollAt(context, session, state)
  await recordScaSessionPolled(context.database, session, { at: context.clock.now(), dueAt, report })
  const version = session.version + (endsStep(report) ? 1 : 0)
  return { ...state, session: { ...refreshed, version } }
}

/** Refreshes a session; if the bank cannot be read, the session stays as it is. */
export async function tryRefreshScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
): Promise<RefreshedScaSession> {
  try {
    return await refreshScaSession(context, kind, session)
  } catch (error) {
    if (error instanceof BankError) {
      context.log.warn(
        { scaSessionId: session.id, errorKind: error.kind },
        'the state of an SCA session could not be read at the bank',
      )
      return { at: 'open', session }
    }
    throw error
  }
}

/** Refreshes a session on request, unless it was read at the bank within the last second. */
export async function refreshScaSessionIfStale(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
): Promise<RefreshedScaSession> {
  const now = context.clock.now()
  const isFresh = session.readAt !== null && Temporal.Instant.compare(session.readAt.add({ seconds: 1 }), now) > 0
  const mayHaveChanged = session.status === 'left' || isOver(context, session)
  if (session.outcome === null && (isFresh || !mayHaveChanged)) {
    return withStoredState(session)
  }
  return await tryRefreshScaSession(context, kind, session)
}

/**
 * Completes a session: claims one outcome, notifies the owner of it, and closes the session with the owner's result.
 * The poll job resumes after a crash in between. Undefined, without effect, when the session has changed since it was
 * read.
 */
export async function completeScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  outcome: ScaOutcome,
): Promise<RefreshedScaSession | undefined> {
  return await complete(context, kind, session, { outcome })
}

/** With the report that decides the outcome. */
async function complete(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  decision: Pick<ScaDecision, 'outcome' | 'report'>,
): Promise<RefreshedScaSession | undefined> {
  const { outcome } = decision
  const decided = await recordScaDecision(context.database, session, {
    ...decision,
    ...ownerNotificationLease(context),
  })
  return decided && (await notifyOwnerUnderLease(context, kind, { ...decided, outcome }))
}

/**
 * An authorisation that expired at its bank is decided by its target at once; one that the bank does not know may
 * reappear until its expiry. Undefined after expiry where the bank denies reading it, such as with an invalid token: the
 * step stays open, and is polled for a late signature. A session that is being abandoned is not closed unread.
 */
async function readOrFallBack(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  step: StartedScaStep,
): Promise<BankReport | undefined> {
  try {
    return await readAuthorisation(context, kind, session, step).catch(async (error: unknown) => {
      if (isBankError(error, 'expired-resource') || (isAuthorisationGone(error) && isOver(context, session))) {
        return await kind.readTargetState(context, session, step)
      }
      throw error
    })
  } catch (error) {
    const isDenied = error instanceof BankError && !isTemporary(error) && !isBankError(error, 'misconfigured')
    if (isDenied && isExpired(context, session)) {
      return undefined
    }
    throw error
  }
}

/** Reads the step that is open at the bank, if one is; an unscanned code leaves it open, and the poll job renews it. */
async function readOpenStep(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
): Promise<{ readonly report?: StepReport; readonly isUnscanned: boolean }> {
  const step = openScaStep(session)
  const read = step && (await readOrFallBack(context, kind, session, step))
  if (step === undefined || read === undefined) {
    return { isUnscanned: false }
  }
  if (isCodeToRenew(context, step, read) && !isOver(context, session)) {
    return { isUnscanned: true }
  }
  const { position, authorisationId } = step
  const { scaStatus, isOver: isOverAtBank = false } = read
  // An expired authorisation was neither signed nor rejected.
  const state = read.state === 'expired' || isOverUnsigned(context, step, read) ? 'cancelled' : read.state
  const at = context.clock.real()
  return { report: { position, authorisationId, state, scaStatus, isOver: isOverAtBank, at }, isUnscanned: false }
}

function withReport(session: ScaSession, { position, state }: StepReport): ScaSession {
  return { ...session, steps: session.steps.map((step) => (step.position === position ? { ...step, state } : step)) }
}

/** Banks delete an authorisation some time after its expiry; reading it again will not help. */
export function isAuthorisationGone(error: unknown): boolean {
  return isResourceGone(error) || (error instanceof BankError && endsAccess(error))
}

type DecidedScaSession = ScaSession & { readonly outcome: ScaOutcome }

/** When an outcome is decided, and until when the process that decided it may notify the owner. */
function ownerNotificationLease({ clock, config }: Context) {
  const at = clock.now()
  return { at, notificationLeaseUntil: at.add({ seconds: CALLS_MAX * callSecondsMax(config) }) }
}

/**
 * Notifies of an outcome that was decided before, unless another process holds the lease: one may have died in between.
 */
async function notifySessionOwner(
  context: Context,
  kind: ScaSubject,
  session: DecidedScaSession,
): Promise<RefreshedScaSession> {
  if (session.status !== 'decided') {
    return withStoredState(session)
  }
  return (await acquireOwnerNotificationLease(context.database, session, ownerNotificationLease(context)))
    ? await notifyOwnerUnderLease(context, kind, session)
    : await awaitOwnerNotification(context, session)
}

/** For the process that holds the lease. */
async function notifyOwnerUnderLease(
  context: Context,
  kind: ScaSubject,
  session: DecidedScaSession,
): Promise<RefreshedScaSession> {
  try {
    const outcome = await kind.ended(context, session, session.outcome)
    await recordEnd(context, kind, session, outcome)
    return { at: 'end', outcome, session: { ...session, status: 'ended', outcome } }
  } catch (error) {
    await scheduleScaPoll(context.database, session, context.clock.now().add(NOTIFY_AGAIN_AFTER))
    throw error
  }
}

/** With the authorisation of a step that started after the outcome was claimed, if there is one. */
async function recordEnd(context: Context, kind: ScaSubject, session: ScaSession, outcome: ScaOutcome): Promise<void> {
  const lateSignaturePollAt = nextLateSignaturePoll(context, kind, session)
  if (!(await recordScaSessionEnded(context.database, session, { outcome, lateSignaturePollAt }))) {
    const stored = await reloadScaSession(context, session)
    if (stored.status === 'decided') {
      await recordEnd(context, kind, stored, outcome)
    }
  }
}

async function awaitOwnerNotification(context: Context, session: ScaSession): Promise<RefreshedScaSession> {
  const read = async () => withStoredState(await reloadScaSession(context, session))
  return await waitUntil(read, ({ at }) => at === 'end', NOTIFIED_WAITING)
}
