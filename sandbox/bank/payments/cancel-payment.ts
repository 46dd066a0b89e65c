/** Cancels a payment: at once before it is signed; after that by the user's authorisation, where the bank allows it. */
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import type { BankContext, BankTransaction } from '../context.ts'
import type { Notice } from '../push.ts'
import { refuse } from '../refusal.ts'
import type { BankProfile } from '../world-shape.ts'
import { type Payment, shownStatus, stoppable } from './payment.ts'
import { changePayment, lockPayment } from './payment-store.ts'

export const CANCELLED_TEXT = 'The payment was cancelled'

/** What became of the wish: done, or waiting for the user. */
export type Cancellation = { readonly outcome: 'cancelled' | 'authorisation-required'; readonly payment: Payment }

/** Cancels the payment, or says that its user must authorise that first. */
export async function cancelPayment(context: BankContext, bank: BankProfile, payment: Payment): Promise<Cancellation> {
  const { outcome, notices } = await context.database.query.transaction().execute(async (transaction) => {
    const current = (await lockPayment(transaction, payment.id)) ?? payment
    requireStoppable(bank, current)
    if (stoppable(current) === 'signed' && bank.cancelAfterSigning === 'authorisation') {
      return { outcome: 'authorisation-required' as const, notices: [] }
    }
    const at = context.clock.now()
    return { outcome: 'cancelled' as const, notices: await withdraw(transaction, current, at) }
  })
  context.push.send(notices)
  return { outcome, payment }
}

/** Cancels a payment that is locked, and ends whatever signing of it is open. */
export async function withdraw(
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const change = { status: 'CANC', status_text: CANCELLED_TEXT, due_at: null } as const
  const notices = [...(await changePayment(transaction, payment, change, at))]
  for (const authorisation of await authorisationsOf(transaction, 'payment', payment.id)) {
    if (!isEnded(authorisation)) {
      notices.push(...(await endAuthorisation(transaction, authorisation, payment, 'cancelled')))
    }
  }
  return notices
}

/** Refuses when the payment is being executed, is over, or was signed at a bank that does not let go then. */
export function requireStoppable(bank: BankProfile, payment: Payment): void {
  const stage = stoppable(payment)
  const refuses = { unsigned: bank.cancelBeforeSigning === 'refused', signed: bank.cancelAfterSigning === 'refused' }
  if (stage === 'never' || refuses[stage]) {
    throw refuse(405, 'CANCELLATION_INVALID', `The payment is ${shownStatus(payment)} and can no longer be cancelled`)
  }
}
