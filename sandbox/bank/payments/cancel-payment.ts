/** Cancels a payment: at once before it is signed; after that by the user's authorisation, where the bank allows it. */
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { isTied } from '../baskets/basket-store.ts'
import type { BankProfile } from '../fixture.ts'
import type { Notice } from '../push-notifications.ts'
import { refuse } from '../refusal.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { isOver, isUnwanted, type Payment, shownStatus, stoppable } from './payment.ts'
import { changePayment, lockPayment } from './payment-store.ts'
import { paymentPath } from './store-order.ts'

export const CANCELLED_TEXT = 'The payment was cancelled'

/** What became of the wish: done, or waiting for the user, whose signing some banks begin at once. */
export type Cancellation =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'authorisation-required'; readonly started: StartedAuthorisation | null }

/** Cancels the payment, or says that its user must authorise that first. */
export async function cancelPayment(
  context: BankContext,
  call: Pick<Xs2aCall, 'bank' | 'headers'>,
  payment: Payment,
): Promise<Cancellation> {
  const { bank } = call
  const { notices, ...cancellation } = await context.database.query.transaction().execute(async (transaction) => {
    const current = (await lockPayment(transaction, payment.id)) ?? payment
    await requireUntied(transaction, current)
    requireStoppable(bank, current)
    if (stoppable(current) === 'signed' && cancelsBySigning(bank)) {
      const started = await beginIfImplicit(context, transaction, call, current)
      return { outcome: 'authorisation-required' as const, started, notices: started?.notices ?? [] }
    }
    const at = context.clock.now()
    return { outcome: 'cancelled' as const, notices: await withdraw(transaction, current, at) }
  })
  context.push.send(notices)
  return cancellation
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

/** Whether a bank has users sign that a payment is cancelled. */
export function cancelsBySigning({ cancelAfterSigning }: BankProfile): boolean {
  return cancelAfterSigning === 'authorisation'
}

/** Refuses when the payment is being executed, is over, or was signed at a bank that does not let go then. */
function requireStoppable(bank: BankProfile, payment: Payment): void {
  const stage = stoppable(payment)
  const refuses = { unsigned: bank.cancelBeforeSigning === 'refused', signed: bank.cancelAfterSigning === 'refused' }
  if (isUnwanted(payment.status) && !(refuses.unsigned && refuses.signed)) {
    throw refuse(409, 'STATUS_INVALID', `The payment is ${shownStatus(payment)} already`)
  }
  if (stage === 'never' || refuses[stage]) {
    throw refuse(405, 'CANCELLATION_INVALID', `The payment is ${shownStatus(payment)} and can no longer be cancelled`)
  }
}

/** What lies in a basket is signed and let go with it. */
async function requireUntied(transaction: BankTransaction, payment: Payment): Promise<void> {
  if (!isOver(payment.status) && (await isTied(transaction, payment))) {
    throw refuse(400, 'RESOURCE_BLOCKED', 'The payment lies in a signing basket; delete that first')
  }
}

/** Where signing begins with the order, it begins with the wish to cancel too. */
async function beginIfImplicit(
  context: BankContext,
  transaction: BankTransaction,
  { bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>,
  payment: Payment,
): Promise<StartedAuthorisation | null> {
  if (bank.signing.redirect !== 'implicit') {
    return null
  }
  const asked = { bank, subject: 'cancellation', headers, targetPath: paymentPath(payment) } as const
  return await startAuthorisation(context, transaction, asked, payment)
}
