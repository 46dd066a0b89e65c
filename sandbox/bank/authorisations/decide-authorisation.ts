/** Takes the user's word on the signing page: approve, reject, or leave without either. */
import { authoriseConsent, endConsent } from '../consents/authorise-consent.ts'
import type { BankContext, BankTransaction } from '../context.ts'
import { withdraw } from '../payments/cancel-payment.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, stoppable } from '../payments/payment.ts'
import type { Notice } from '../push.ts'
import { type Authorisation, isEnded, returnAddress, type ScaOutcome } from './authorisation.ts'
import { authorisationsOf } from './authorisation-store.ts'
import { endAuthorisation } from './end-authorisation.ts'
import { type LockedAuthorisation, type LockedTarget, lockWithTarget } from './target.ts'

export const DECISIONS = ['approve', 'reject', 'cancel'] as const
export type Decision = (typeof DECISIONS)[number]

const outcomeByDecision: Readonly<Record<Decision, ScaOutcome>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
}

/** Ends the authorisation as decided, and answers where the browser goes. One that has ended already stays as it is. */
export async function decideAuthorisation(
  context: BankContext,
  found: Authorisation,
  decision: Decision,
): Promise<string> {
  const { redirect, notices } = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockWithTarget(transaction, found)
    if (locked === undefined || isEnded(locked.authorisation)) {
      return { redirect: returnAddress(locked?.authorisation ?? found), notices: [] }
    }
    const outcome = possibleOutcome(context, locked, decision)
    const ended = await endAuthorisation(transaction, locked.authorisation, locked.target, outcome)
    const followed = await followOutcome(context, transaction, locked, outcome)
    return { redirect: returnAddress({ ...locked.authorisation, outcome }), notices: [...ended, ...followed] }
  })
  context.push.send(notices)
  return redirect
}

/** What the decision comes to: a signature counts only in time, by an identified user, on something still open. */
function possibleOutcome(context: BankContext, locked: LockedAuthorisation, decision: Decision): ScaOutcome {
  const { authorisation } = locked
  const { due_at: dueAt } = authorisation
  if (dueAt !== null && Temporal.Instant.compare(dueAt, context.clock.now()) <= 0) {
    return 'expired'
  }
  const isPossible = authorisation.signer_id !== null && isOpen(locked)
  return decision === 'approve' && !isPossible ? 'cancelled' : outcomeByDecision[decision]
}

/** Whether the target still waits for this signature. */
export function isOpen(locked: LockedTarget): boolean {
  switch (locked.subject) {
    case 'payment':
      return maySign(locked.target)
    case 'cancellation':
      return stoppable(locked.target) !== 'never'
    case 'consent':
      return locked.target.status === 'received'
  }
}

async function followOutcome(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
  outcome: ScaOutcome,
): Promise<readonly Notice[]> {
  const at = context.clock.now()
  const signerId = locked.authorisation.signer_id
  if (outcome === 'rejected' && locked.subject === 'consent') {
    return [await endConsent(transaction, locked.target, 'rejected')]
  }
  if (outcome !== 'approved' || signerId === null) {
    return []
  }
  switch (locked.subject) {
    case 'payment': {
      const all = await authorisationsOf(transaction, 'payment', locked.target.id)
      const signers = new Set(all.filter((one) => one.outcome === 'approved').map((one) => one.signer_id)).size
      return await acceptSignature(context, transaction, locked.target, { signers, at })
    }
    case 'cancellation':
      return await withdraw(transaction, locked.target, at)
    case 'consent':
      return await authoriseConsent(context, transaction, locked.target, { signerId, at })
  }
}
