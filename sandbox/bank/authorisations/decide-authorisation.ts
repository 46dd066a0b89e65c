/** Takes the user's word on the signing page or in the app: approve, reject, or leave without either. */
import { newToken } from '../../../gateway/platform/ids.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { isWaiting } from '../baskets/basket.ts'
import { signBasket } from '../baskets/sign-basket.ts'
import { authoriseConsent, endConsent } from '../consents/authorise-consent.ts'
import { remindLateSigner, signLate } from '../outcomes/late-signature.ts'
import { decisionOf } from '../outcomes/scripted-user-lookup.ts'
import { withdraw } from '../payments/cancel-payment.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, stoppable } from '../payments/payment.ts'
import { signersOf } from '../payments/signers.ts'
import type { Notice } from '../push-notifications.ts'
import { bankOfRow } from '../world.ts'
import { hasLapsed } from './app-code.ts'
import {
  type Authorisation,
  type Decision,
  isEnded,
  isUnconfirmed,
  returnAddress,
  type ScaOutcome,
} from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { endAuthorisation, scaNotice } from './end-authorisation.ts'
import { type LockedAuthorisation, type LockedTarget, lockWithTarget } from './lock-sca-target.ts'

const outcomeByDecision: Readonly<Record<Decision, ScaOutcome>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
}

/**
 * Ends the authorisation as decided, and answers where the browser goes; null where none was sent here. One that has
 * ended already stays as it is, and so does one that its user has signed and its third party has yet to confirm.
 */
export async function decideAuthorisation(
  context: BankContext,
  found: Authorisation,
  decision: Decision,
): Promise<string | null> {
  const { redirect, notices } = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockWithTarget(transaction, found)
    if (locked === undefined || isEnded(locked.authorisation) || isUnconfirmed(locked.authorisation)) {
      return { redirect: returnAddress(locked?.authorisation ?? found), notices: [] }
    }
    const outcome = possibleOutcome(context, locked, decision)
    if (outcome === 'approved' && isToBeConfirmed(context, locked)) {
      return await awaitConfirmation(transaction, locked)
    }
    const followed = await carryOut(context, transaction, locked, outcome)
    return { redirect: returnAddress({ ...locked.authorisation, outcome }), notices: followed }
  })
  context.push.send(notices)
  return redirect
}

function isToBeConfirmed({ world }: BankContext, { authorisation }: LockedAuthorisation): boolean {
  return authorisation.approach === 'redirect' && bankOfRow(world, authorisation.bank).signing.confirmation
}

/** The user has signed; the browser takes a code to the third party, and the signature counts when that brings it. */
async function awaitConfirmation(transaction: BankTransaction, { authorisation, target }: LockedAuthorisation) {
  const waiting = await updateAuthorisation(transaction, authorisation.id, {
    sca_status: 'unconfirmed',
    confirmation_code: newToken(),
  })
  return { redirect: returnAddress(waiting), notices: [scaNotice(waiting, target, 'unconfirmed')] }
}

/** What the decision comes to: a signature counts only in time, by an identified user, on something still open. */
export function possibleOutcome(context: BankContext, locked: LockedAuthorisation, decision: Decision): ScaOutcome {
  const { authorisation } = locked
  const { due_at: dueAt } = authorisation
  if (hasLapsed(authorisation, context.clock.real())) {
    return 'lapsed'
  }
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
    case 'basket':
      return isWaiting(locked.target) && locked.payments.some(maySign)
  }
}

/** Ends a locked authorisation with an outcome, and does what follows from it. */
export async function carryOut(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
  outcome: ScaOutcome,
): Promise<readonly Notice[]> {
  const ended = await endAuthorisation(transaction, locked.authorisation, locked.target, outcome)
  return [...ended, ...(await followOutcome(context, transaction, locked, outcome))]
}

/** Ends an authorisation whose time is over: a scripted user decides in that moment, anybody else has let it expire. */
export async function decideAtLast(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
): Promise<readonly Notice[]> {
  const { authorisation, subject } = locked
  if (isEnded(authorisation)) {
    return await signLate(context, transaction, locked)
  }
  if (isUnconfirmed(authorisation)) {
    return await carryOut(context, transaction, locked, 'expired')
  }
  const decision = decisionOf(authorisation.psu_id, subject)
  if (decision === 'forget') {
    const notices = await carryOut(context, transaction, locked, 'expired')
    await remindLateSigner(context, transaction, locked)
    return notices
  }
  if (decision !== 'approve') {
    return await carryOut(context, transaction, locked, outcomeByDecision[decision])
  }
  const signed = await updateAuthorisation(transaction, authorisation.id, { signer_id: authorisation.psu_id })
  const outcome = isOpen(locked) ? 'approved' : 'cancelled'
  return await carryOut(context, transaction, { ...locked, authorisation: signed }, outcome)
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
      const signers = await signersOf(transaction, locked.target)
      return await acceptSignature(context, transaction, locked.target, { signers, at })
    }
    case 'cancellation':
      return await withdraw(transaction, locked.target, at)
    case 'consent':
      return await authoriseConsent(context, transaction, locked.target, { signerId, at })
    case 'basket':
      return await signBasket(context, transaction, { basket: locked.target, payments: locked.payments }, at)
  }
}
