/** Ends an SCA session before its bank does: the user cancels or rejects it, or the partner abandons it; a signature still counts. */
import { BankError } from '../banks/connector/bank-error.ts'
import { endsAccess, isTemporary } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isConfirmingBrowser } from './browser/requesting-browser.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { completeScaSession, refreshScaSession, tryRefreshScaSession } from './refresh-sca-session.ts'
import { findLateSignature } from './resume-sca-session.ts'
import {
  isSigned,
  nextStepAwaitsConfirmation,
  type ScaOutcome,
  type ScaSession,
  type ScaSubject,
} from './sca-session.ts'
import { type RefreshedScaSession, scaSessionStateOf } from './sca-session-state.ts'
import { trustConfirmedBrowser } from './store/callback-store.ts'

/**
 * The session can change between the read and the write (the user signs, a code is renewed): then the bank is read
 * again.
 */
const ATTEMPTS_MAX = 5
const RETRY_AFTER_SECONDS = 10

/**
 * Ends the session and returns the ids of the signed targets, also where it had ended before and was signed late.
 * Throws 503 or `INVALID_CONSENT` where the bank does not report whether it was signed; then nothing is abandoned.
 */
export async function abandonScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
): Promise<readonly string[]> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const stored = await reloadScaSession(context, session)
      if (stored.status === 'ended') {
        return await listSignedTargets(context, kind, stored)
      }
      await refreshScaSession(context, kind, { ...stored, isAbandoned: true })
    }
  } catch (error) {
    throw error instanceof BankError ? unreadableError(error, await reloadScaSession(context, session)) : error
  }
  throw apiError(
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'Another request is ending this SCA session; retry in a moment',
  )
}

/**
 * A session can end without reading the bank, for example when a newer approval replaces it, and the user may have
 * signed since.
 */
async function listSignedTargets(context: Context, kind: ScaSubject, session: ScaSession): Promise<readonly string[]> {
  if (session.dueAt !== null) {
    await findLateSignature(context, kind, session)
  }
  const { steps } = await reloadScaSession(context, session)
  return steps.filter(isSigned).map(({ targetId }) => targetId)
}

function unreadableError(error: BankError, { status }: ScaSession): Error {
  const [known, otherwise] =
    status === 'ended'
      ? ['The SCA session has ended, but the bank does not report whether it was signed', '']
      : [
          'The bank does not report whether the SCA session was signed, so it is not abandoned',
          ': the user can continue with the same link',
        ]
  if (isTemporary(error)) {
    const retryAfterSeconds = RETRY_AFTER_SECONDS
    return apiError('unavailable', `${known}${otherwise}. Retry in a moment`, { retryAfterSeconds })
  }
  if (endsAccess(error)) {
    const why = `The consent of the signing user has ended at the bank (${error.message})`
    return apiError('INVALID_CONSENT', `${known}. ${why}; the session ends when it expires`)
  }
  return error
}

/**
 * Ends the session before the redirect to the bank or between two authorisations. While an authorisation is open at the
 * bank, or once all is signed, it ends nothing: the user returns with the outcome, or with `cancelled` until it is read.
 */
export async function cancelScaSession(context: Context, kind: ScaSubject, session: ScaSession): Promise<ScaOutcome> {
  const isAtBank = session.status === 'left' && scaSessionStateOf(session).at === 'open'
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

/** Yes puts the signature in force, no ends the session. Undefined for a browser that may not confirm. */
export async function confirmScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  answer: { readonly browserToken: string | undefined; readonly isConfirmed: boolean },
): Promise<RefreshedScaSession | undefined> {
  if (session.confirmHash === null || !isConfirmingBrowser(session, answer.browserToken)) {
    return undefined
  }
  if (answer.isConfirmed) {
    const hasFurtherSteps = nextStepAwaitsConfirmation(session)
    const confirmation = { confirmHash: session.confirmHash, hasFurtherSteps, at: context.clock.real() }
    await trustConfirmedBrowser(context.database, session, confirmation)
  } else if (scaSessionStateOf(session).at === 'confirmation') {
    const ended = await completeScaSession(context, kind, session, 'rejected')
    if (ended !== undefined) {
      return ended
    }
  }
  return await tryRefreshScaSession(context, kind, await reloadScaSession(context, session))
}
