/** Derives the state of an SCA session from what is stored, without reading the bank. */
import type { Context } from '../context.ts'
import {
  awaitsUserConfirmation,
  currentScaStep,
  nextStepAwaitsConfirmation,
  outcomeForUser,
  type ScaOutcome,
  type ScaSession,
} from './sca-session.ts'
import { findScaSession } from './store/sca-session-store.ts'

/**
 * `open` at the bank, `lapsed` there because the code was not scanned, ready for the `next` authorisation, signed and
 * awaiting the user's confirmation (`confirmation`), or ended.
 */
export type ScaSessionState =
  | { readonly at: 'open' | 'lapsed' | 'next' | 'confirmation' }
  | { readonly at: 'end'; readonly outcome: ScaOutcome }

/** A session that was refreshed, as far as this process knows it, with its state. */
export type RefreshedScaSession = ScaSessionState & { readonly session: ScaSession }

/** A session with its stored state. */
export function withStoredState(session: ScaSession): RefreshedScaSession {
  return { ...scaSessionStateOf(session), session }
}

/** The state of a session. */
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
export function isOver(
  { clock }: Pick<Context, 'clock'>,
  session: Pick<ScaSession, 'expiresAt' | 'isAbandoned'>,
): boolean {
  return session.isAbandoned === true || isExpired({ clock }, session)
}

/** Whether the current authorisation has expired. */
export function isExpired({ clock }: Pick<Context, 'clock'>, { expiresAt }: Pick<ScaSession, 'expiresAt'>): boolean {
  return Temporal.Instant.compare(clock.now(), expiresAt) >= 0
}

/** The session as stored now. Throws if it does not exist. */
export async function reloadScaSession(
  { database }: Context,
  session: Pick<ScaSession, 'partnerId' | 'id'>,
): Promise<ScaSession> {
  const stored = await findScaSession(database, session)
  if (stored === undefined) {
    throw new Error(`SCA session ${session.id} does not exist`)
  }
  return stored
}
