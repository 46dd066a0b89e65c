/** Abandons an SCA session at the partner's request, after reading the bank: a signature there still counts. */

import { BankError } from '../banks/connector/bank-error.ts'
import { endsAccess, isTemporary } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { findLateSignature } from './authorisation/find-late-signature.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { refreshScaSession } from './refresh-sca-session.ts'
import { isSigned, type ScaSession, type ScaSubject } from './sca-session.ts'

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
