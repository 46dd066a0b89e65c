/** Validates the confirmation code of an authorisation; only then is the SCA complete. */

import { timingSafeEqual } from 'node:crypto'
import type { BankTransaction, Context } from '../context.ts'
import type { PushNotification } from '../push-notifications.ts'
import { Xs2aError, xs2aError } from '../xs2a-error.ts'
import { type Authorisation, isEnded, isUnconfirmed } from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { endWithOutcome, outcomeOfDecision } from './decide-authorisation.ts'
import { changeAuthorisation, type LockedAuthorisation } from './lock-authorisation.ts'

/** After this many wrong codes the authorisation has failed. */
const FAILURES_MAX = 3

export type ConfirmationStatus = 'finalised' | 'failed'
type ConfirmationResult = {
  readonly scaStatus: ConfirmationStatus | Xs2aError
  readonly notifications: readonly PushNotification[]
}

/** Confirms it; the same code is accepted again, because a response may be lost. */
export async function confirmAuthorisation(
  context: Context,
  found: Authorisation,
  code: string,
): Promise<ConfirmationStatus> {
  const confirmed = await changeAuthorisation(context, found, (transaction, locked) =>
    validateConfirmationCode(context, transaction, locked, code),
  )
  if (confirmed === undefined) {
    throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank knows no such authorisation')
  }
  if (confirmed.scaStatus instanceof Xs2aError) {
    throw confirmed.scaStatus
  }
  return confirmed.scaStatus
}

async function validateConfirmationCode(
  context: Context,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
  code: string,
): Promise<ConfirmationResult> {
  const { authorisation } = locked
  const isRight = isSameCode(code, authorisation.confirmation_code)
  if (isEnded(authorisation) && isRight) {
    return { scaStatus: authorisation.outcome === 'approved' ? 'finalised' : 'failed', notifications: [] }
  }
  if (!isUnconfirmed(authorisation)) {
    throw xs2aError(409, 'STATUS_INVALID', 'The authorisation requires no confirmation code')
  }
  if (isRight) {
    const outcome = outcomeOfDecision(context, locked, 'approve')
    const notifications = await endWithOutcome(context, transaction, locked, outcome)
    return { scaStatus: outcome === 'approved' ? 'finalised' : 'failed', notifications }
  }
  return await countFailure(context, transaction, locked)
}

/** The rejection is returned rather than thrown, so that the count is committed. */
async function countFailure(
  context: Context,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
): Promise<ConfirmationResult> {
  const failures = locked.authorisation.confirmation_failures + 1
  await updateAuthorisation(transaction, locked.authorisation.id, { confirmation_failures: failures })
  if (failures < FAILURES_MAX) {
    const text = `The confirmation code is wrong; ${FAILURES_MAX - failures} attempts are left`
    return { scaStatus: xs2aError(400, 'SCA_INVALID', text, 'confirmationCode'), notifications: [] }
  }
  return { scaStatus: 'failed', notifications: await endWithOutcome(context, transaction, locked, 'unconfirmed') }
}

function isSameCode(given: string, stored: string | null): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(stored ?? '')]
  return stored !== null && one.length === other.length && timingSafeEqual(one, other)
}
