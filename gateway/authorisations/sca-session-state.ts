/** Decides on an SCA session from what is stored and what the bank has reported: its state, outcome and next poll. */

import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import {
  awaitsUserConfirmation,
  currentScaStep,
  isSigned,
  nextStepAwaitsConfirmation,
  outcomeForUser,
  type ScaOutcome,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
  type StartedScaStep,
} from './sca-session.ts'

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
/** Banks may let a user who started in time finish: so long after expiry the user has finished. */
const LATE_POLL_AFTER = { minutes: 5 }
/** A user who is at the bank when the session ends early may sign at any moment. */
const SOON_POLL_AFTER = { seconds: 3 }

/**
 * `open` at the bank, `expired` there because the code was not scanned, ready for the `next` authorisation, signed and
 * awaiting the user's confirmation (`confirmation`), or ended.
 */
export type ScaSessionState =
  | { readonly at: 'open' | 'expired' | 'next' | 'confirmation' }
  | { readonly at: 'end'; readonly outcome: ScaOutcome }

/** A session that was refreshed, as far as this process knows it, with its state. */
export type RefreshedScaSession = ScaSessionState & { readonly session: ScaSession }

export function withStoredState(session: ScaSession): RefreshedScaSession {
  return { ...scaSessionStateOf(session), session }
}

export function scaSessionStateOf(session: ScaSession): ScaSessionState {
  const { status } = session
  const outcome = outcomeForUser(session)
  if (status === 'ended' && outcome !== null) {
    return { at: 'end', outcome }
  }
  if (outcome !== null) {
    return { at: 'open' }
  }
  const step = currentScaStep(session)
  if (step === undefined) {
    return { at: awaitsUserConfirmation(session) ? 'confirmation' : 'open' }
  }
  if (step.state === 'pending') {
    return { at: nextStepAwaitsConfirmation(session) ? 'confirmation' : 'next' }
  }
  return { at: 'open' }
}

/** Whether the current authorisation is to be closed: it has expired, or is being abandoned. */
export function isOver(context: Context, session: Pick<ScaSession, 'expiresAt' | 'isAbandoned'>): boolean {
  return session.isAbandoned === true || isExpired(context, session)
}

/** Whether the current authorisation has expired. */
export function isExpired({ clock }: Context, { expiresAt }: Pick<ScaSession, 'expiresAt'>): boolean {
  return Temporal.Instant.compare(clock.now(), expiresAt) >= 0
}

/** A success that awaits the user's confirmation becomes `cancelled` at expiry. */
export function currentOutcome(context: Context, session: ScaSession): ScaOutcome | undefined {
  const outcome = outcomeOf(session.steps)
  const isToWait = outcome === 'success' && (awaitsUserConfirmation(session) || awaitsUseOfLink(session))
  if (isOver(context, session)) {
    return isToWait ? 'cancelled' : (outcome ?? 'cancelled')
  }
  return isToWait ? undefined : outcome
}

/** Where the bank requires no signature, the user accepts the consent by using the link. */
function awaitsUseOfLink({ kind, browserHash, steps }: ScaSession): boolean {
  return kind === 'consent' && browserHash === null && steps.every(({ state }) => state === 'exempt')
}

/** The outcome of all steps, once none is left or one was rejected; undefined before. */
function outcomeOf(steps: readonly ScaStep[]): ScaOutcome | undefined {
  if (steps.some(({ state }) => state === 'rejected')) {
    return 'rejected'
  }
  if (steps.some(({ state }) => state === 'cancelled')) {
    return 'cancelled'
  }
  return steps.every(isSigned) ? 'success' : undefined
}

/** The state of an authorisation, or of its target where the authorisation is deleted. */
export type BankReport = Pick<AuthorisationState, 'state' | 'scaStatus' | 'text' | 'isOver'>

/** Some banks report only that it is over; the target shows a signature within a moment. */
export function isOverUnsigned(
  { clock }: Context,
  { overAt }: StartedScaStep,
  { isOver: isOverAtBank }: BankReport,
): boolean {
  const showsBy = overAt?.add(SIGNATURE_VISIBLE_WITHIN)
  return isOverAtBank === true && showsBy !== undefined && Temporal.Instant.compare(clock.real(), showsBy) >= 0
}

/**
 * Whether the code expired unscanned, and may be renewed. Some banks have no status for an expired order: one that ended
 * in its first seconds was cancelled in the app.
 */
export function isCodeToRenew(
  { clock }: Context,
  { approach, startedAt, renewals }: StartedScaStep,
  { state, text }: BankReport,
): boolean {
  const expiresFrom = (startedAt ?? clock.real()).add(CODE_LASTS)
  const hasNoText = state === 'cancelled' && text === null
  const isExpiredOrder = hasNoText && Temporal.Instant.compare(clock.real(), expiresFrom) >= 0
  return approach === 'code' && (state === 'expired' || isExpiredOrder) && renewals < RENEWALS_MAX
}

/** What only the poll job continues is due at once. */
export function nextPollAt({ clock }: Context, session: ScaSession, { at }: ScaSessionState): Temporal.Instant {
  const now = clock.now()
  if (at === 'expired' || (at === 'next' && session.shownBy === 'partner')) {
    return now
  }
  const next = now.add(session.identityProvider === null ? READ_EVERY : READ_OWN_EVERY)
  const isSooner = session.status === 'left' && at === 'open' && Temporal.Instant.compare(next, session.expiresAt) < 0
  return isSooner ? next : session.expiresAt
}

/**
 * When to poll for a late signature; null where it would change nothing. A session that ended early can be signed until
 * its expiry: polled soon if its user was sent to the bank.
 */
export function nextLateSignaturePoll(
  context: Context,
  { onLateSignature }: ScaSubject,
  session: Pick<ScaSession, 'expiresAt' | 'browserHash' | 'shownBy'>,
): Temporal.Instant | null {
  const now = context.clock.now()
  if (onLateSignature === undefined) {
    return null
  }
  if (isExpired(context, session)) {
    return now.add(LATE_POLL_AFTER)
  }
  const mayBeAtBank = session.browserHash !== null || session.shownBy === 'partner'
  return mayBeAtBank ? now.add(SOON_POLL_AFTER) : lateSignaturePollEnd(session)
}

/** Until when late signatures are polled for. */
export function lateSignaturePollEnd({ expiresAt }: Pick<ScaSession, 'expiresAt'>): Temporal.Instant {
  return expiresAt.add(LATE_POLL_AFTER)
}
