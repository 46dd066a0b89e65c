/** Validates the confirmation code of an authorisation; only then is the SCA complete. */

import { timingSafeEqual } from 'node:crypto'
import { updateRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import { Xs2aError, xs2aError } from '../xs2a-error.ts'
import { type Authorisation, isEnded, isUnconfirmed } from './authorisation.ts'
import { endWithOutcome, outcomeOfDecision } from './decide-authorisation.ts'
import { changeAuthorisation, type LockedAuthorisation } from './lock-authorisation.ts'

/** After this many wrong codes the authorisation has failed. */
const FAILURES_MAX = 3

export type ConfirmationStatus = 'finalised' | 'failed'

/**
 * Confirms it; the same code is accepted again, because a response may be lost. Undefined when the authorisation or its
 * target was deleted.
 */
export async function confirmAuthorisation(
  context: Context,
  found: Authorisation,
  code: string,
): Promise<ConfirmationStatus | undefined> {
  const confirmed = await changeAuthorisation(context, found, (context, locked) =>
    validateConfirmationCode(context, locked, code),
  )
  if (confirmed instanceof Xs2aError) {
    throw confirmed
  }
  return confirmed
}

/** The rejection of a wrong code is returned rather than thrown, so that its count is committed. */
async function validateConfirmationCode(
  context: Context,
  locked: LockedAuthorisation,
  code: string,
): Promise<ConfirmationStatus | Xs2aError> {
  const { authorisation } = locked
  const isRight = isSameCode(code, authorisation.confirmation_code)
  if (isEnded(authorisation) && isRight) {
    return authorisation.outcome === 'approved' ? 'finalised' : 'failed'
  }
  if (!isUnconfirmed(authorisation)) {
    throw xs2aError(409, 'STATUS_INVALID', 'The authorisation requires no confirmation code')
  }
  if (isRight) {
    const outcome = outcomeOfDecision(context, locked, 'approve')
    await endWithOutcome(context, locked, outcome)
    return outcome === 'approved' ? 'finalised' : 'failed'
  }
  const failures = authorisation.confirmation_failures + 1
  await updateRow(context, 'authorisations', authorisation, { confirmation_failures: failures })
  if (failures < FAILURES_MAX) {
    const text = `The confirmation code is wrong; ${FAILURES_MAX - failures} attempts are left`
    return xs2aError(400, 'SCA_INVALID', text, 'confirmationCode')
  }
  await endWithOutcome(context, locked, 'unconfirmed')
  return 'failed'
}

function isSameCode(given: string, stored: string | null): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(stored ?? '')]
  return stored !== null && one.length === other.length && timingSafeEqual(one, other)
}
