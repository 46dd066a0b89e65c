/** Cancels an SCA session at the user's request, and returns the user to the partner. */
import type { Context } from '../context.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { completeScaSession, refreshScaSession } from './refresh-sca-session.ts'
import { currentScaStep, type ScaOutcome, type ScaSession, type ScaSubject } from './sca-session.ts'

/**
 * Ends the session before the redirect to the bank or between two authorisations. While an authorisation is open at the
 * bank it ends nothing: the user returns with `cancelled`, and the status is read later.
 */
export async function cancelScaSession(context: Context, kind: ScaSubject, session: ScaSession): Promise<ScaOutcome> {
  const isAtBank = session.status === 'left' && currentScaStep(session)?.state === 'open'
  if (isAtBank || session.outcome !== null) {
    const state = await refreshScaSession(context, kind, session).catch(() => undefined)
    return state?.at === 'end' ? state.outcome : (session.outcome ?? 'cancelled')
  }
  const state = await completeScaSession(context, kind, session, 'cancelled')
  if (state === undefined) {
    return await cancelScaSession(context, kind, await reloadScaSession(context, session))
  }
  return state.at === 'end' ? state.outcome : 'cancelled'
}
