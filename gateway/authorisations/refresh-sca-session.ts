/** Reads the state of an SCA session at the bank, and completes the session when the bank reports a final one. */

import { BankError } from '../banks/connector/bank-error.ts'
import { endsAccess, isBankError, isResourceGone } from '../banks/connector/bank-error-classification.ts'
import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { readAuthorisation } from './authorisation/read-authorisation.ts'
import { notifyOwnerUnderLease, notifySessionOwner, ownerNotificationLease } from './notify-session-owner.ts'
import {
  awaitsUserConfirmation,
  currentScaStep,
  outcomeOf,
  type ScaOutcome,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
  type StartedScaStep,
} from './sca-session.ts'
import {
  isExpired,
  isOver,
  type RefreshedScaSession,
  reloadScaSession,
  type ScaSessionState,
  scaSessionStateOf,
  withStoredState,
} from './sca-session-state.ts'
import { recordScaDecision } from './store/sca-session-end-store.ts'
import { recordScaSessionPolled } from './store/sca-session-poll-store.ts'
import { recordStepReport } from './store/sca-step-store.ts'

/** Poll interval while the user is at the bank. */
const READ_EVERY = { seconds: 3 }
/** An identity provider is not polled: the browser's callback is handled at once, and this retries what failed then. */
const READ_OWN_EVERY = { seconds: 30 }

/** Codes last for seconds: an unscanned one is renewed at most so often. */
const RENEWALS_MAX = 10
/** Orders last for 30 seconds, and start at the bank shortly before its response. */
const CODE_LASTS = { seconds: 25 }

/** At banks that only report that an authorisation is over, the target shows its signature within this time. */
const SIGNATURE_VISIBLE_WITHIN = { seconds: 10 }

/** Reads the open step, records the bank's report, and completes the session when nothing is left to sign. */
export async function refreshScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
): Promise<RefreshedScaSession> {
  if (session.outcome !== null) {
    return await notifySessionOwner(context, kind, { ...session, outcome: session.outcome })
  }
  const step = currentScaStep(session)
  const { steps, isLapsed } =
    step?.state === 'open'
      ? await refreshStep(context, kind, session, requireStarted(session, step))
      : { steps: session.steps, isLapsed: false }
  const refreshed = { ...session, steps }
  const outcome = currentOutcome(context, refreshed)
  if (outcome !== undefined) {
    const completed = await completeScaSession(context, kind, refreshed, outcome)
    return completed ?? (await refreshScaSession(context, kind, await reloadScaSession(context, session)))
  }
  const state: ScaSessionState = isLapsed ? { at: 'lapsed' } : scaSessionStateOf(refreshed)
  const read = { at: context.clock.now(), dueAt: nextPollAt(context, session, state) }
  await recordScaSessionPolled(context.database, session, read)
  return { ...state, session: refreshed }
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
        { scaSessionId: session.id, refusal: error.kind },
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
  const decided = await recordScaDecision(context.database, session, { outcome, ...ownerNotificationLease(context) })
  return decided && (await notifyOwnerUnderLease(context, kind, { ...decided, outcome }))
}

/** A success that awaits the user's confirmation becomes `cancelled` at expiry. */
function currentOutcome(context: Context, session: ScaSession): ScaOutcome | undefined {
  const outcome = outcomeOf(session.steps)
  const isToWait = outcome === 'success' && awaitsUserConfirmation(session)
  if (isOver(context, session)) {
    return isToWait ? 'cancelled' : (outcome ?? 'cancelled')
  }
  return isToWait ? undefined : outcome
}

/** The state of an authorisation, or of its target where the authorisation is deleted. */
type BankReport = Pick<AuthorisationState, 'state' | 'scaStatus' | 'text' | 'isOver'>
type RefreshedSteps = { readonly steps: readonly ScaStep[]; readonly isLapsed: boolean }

/**
 * An authorisation that expired at its bank is decided by its target at once; one that the bank does not know may
 * reappear until its expiry. Undefined after expiry where the token is invalid: the step stays open, and is polled for
 * a late signature. A session that is being abandoned is not closed unread.
 */
async function readOrFallBack(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  step: StartedScaStep,
): Promise<BankReport | undefined> {
  try {
    return await readAuthorisation(context, kind, session, step).catch(async (error: unknown) => {
      if (hasExpired(error) || (isAuthorisationGone(error) && isOver(context, session))) {
        return await kind.readTargetState(context, session, step)
      }
      throw error
    })
  } catch (error) {
    if (isBankError(error, 'token-invalid') && isExpired(context, session)) {
      return undefined
    }
    throw error
  }
}

/** An unscanned code leaves its step open: the poll job renews it. */
async function refreshStep(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  step: StartedScaStep,
): Promise<RefreshedSteps> {
  const read = await readOrFallBack(context, kind, session, step)
  if (read === undefined) {
    return { steps: session.steps, isLapsed: false }
  }
  if (hasCodeExpiredUnscanned(context, step, read) && step.renewals < RENEWALS_MAX && !isOver(context, session)) {
    return { steps: session.steps, isLapsed: true }
  }
  // A lapsed authorisation was neither signed nor rejected.
  const state = read.state === 'lapsed' || isOverUnsigned(context, step, read) ? 'cancelled' : read.state
  const { authorisationId } = step
  const { scaStatus, isOver: isOverAtBank = false } = read
  const at = context.clock.real()
  await recordStepReport(context.database, session, step, {
    authorisationId,
    state,
    scaStatus,
    isOver: isOverAtBank,
    at,
  })
  const steps = session.steps.map((other) => (other.position === step.position ? { ...other, state } : other))
  return { steps, isLapsed: false }
}

/** Some banks report only that it is over; the target shows a signature within a moment. */
function isOverUnsigned({ clock }: Context, { overAt }: StartedScaStep, { isOver: isOverAtBank }: BankReport): boolean {
  const showsBy = overAt?.add(SIGNATURE_VISIBLE_WITHIN)
  return isOverAtBank === true && showsBy !== undefined && Temporal.Instant.compare(clock.real(), showsBy) >= 0
}

/** Some banks have no status for an expired order: one that ended in its first seconds was cancelled in the app. */
function hasCodeExpiredUnscanned(
  { clock }: Context,
  { way, startedAt }: StartedScaStep,
  { state, text }: BankReport,
): boolean {
  const lapsesFrom = (startedAt ?? clock.real()).add(CODE_LASTS)
  const hasNoText = state === 'cancelled' && text === null
  return (
    way === 'code' && (state === 'lapsed' || (hasNoText && Temporal.Instant.compare(clock.real(), lapsesFrom) >= 0))
  )
}

function requireStarted(session: ScaSession, step: ScaStep): StartedScaStep {
  const { authorisationId } = step
  if (authorisationId === null) {
    throw new Error(`Step ${step.position} of SCA session ${session.id} is open without an authorisation`)
  }
  return { ...step, authorisationId }
}

/** Banks delete an authorisation some time after its expiry; reading it again will not help. */
export function isAuthorisationGone(error: unknown): boolean {
  return isResourceGone(error) || (error instanceof BankError && endsAccess(error))
}

function hasExpired(error: unknown): boolean {
  return isBankError(error, 'expired-resource')
}

/** What only the poll job continues is due at once. */
function nextPollAt({ clock }: Context, session: ScaSession, { at }: ScaSessionState): Temporal.Instant {
  const now = clock.now()
  if (at === 'lapsed' || (at === 'next' && session.shownBy === 'partner')) {
    return now
  }
  const next = now.add(session.identityProvider === null ? READ_EVERY : READ_OWN_EVERY)
  const isSooner = session.status === 'left' && at === 'open' && Temporal.Instant.compare(next, session.expiresAt) < 0
  return isSooner ? next : session.expiresAt
}
