/** Cancels a payment: at once while unsigned, later with the user's authorisation, where the bank permits it. */

import { findRow } from '../../rows.ts'
import { endOpenAuthorisations } from '../authorisations/end-authorisation.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { type Context, inTransaction } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { isFinalStatus, isRejectedOrCancelled } from '../xs2a/transaction-status.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { isPaymentInBasket } from './basket-store.ts'
import { cancellability, type Payment, paymentPath, shownStatus } from './payment.ts'
import { updatePayment } from './payment-store.ts'

export const CANCELLED_TEXT = 'The payment was cancelled'

export type Cancellation =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'authorisation-required'; readonly started: StartedAuthorisation | null }

/** Cancels the payment, or requires an authorisation first. */
export async function cancelPayment(
  context: Context,
  call: Pick<Xs2aCall, 'bank' | 'headers'>,
  { id }: Payment,
): Promise<Cancellation> {
  const { bank } = call
  return await inTransaction(context, async (context): Promise<Cancellation> => {
    const payment = await findRow(context, 'payments', { id }, { lock: true })
    if (payment === undefined) {
      throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank no longer holds this')
    }
    await requireNotInBasket(context, payment)
    requireCancellable(bank, payment)
    if (cancellability(payment) === 'signed' && cancellationNeedsSca(bank)) {
      return { outcome: 'authorisation-required', started: await startIfImplicit(context, call, payment) }
    }
    await setCancelled(context, payment, context.clock.now())
    return { outcome: 'cancelled' }
  })
}

/** Cancels a locked payment and ends its open authorisations. */
export async function setCancelled(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  await updatePayment(context, payment, { status: 'CANC', status_text: CANCELLED_TEXT, due_at: null }, at)
  await endOpenAuthorisations(context, 'payment', payment, 'cancelled')
}

/** Whether the bank requires SCA to cancel an authorised payment. */
export function cancellationNeedsSca({ cancelAfterSigning }: BankProfile): boolean {
  return cancelAfterSigning === 'authorisation'
}

/** Rejects payments in execution or in a final status, and those that the bank does not cancel at this stage. */
function requireCancellable(bank: BankProfile, payment: Payment): void {
  const stage = cancellability(payment)
  const rejects = { unsigned: bank.cancelBeforeSigning === 'rejected', signed: bank.cancelAfterSigning === 'rejected' }
  if (isRejectedOrCancelled(payment.status) && !(rejects.unsigned && rejects.signed)) {
    throw xs2aError(409, 'STATUS_INVALID', `The payment is ${shownStatus(payment)} already`)
  }
  if (stage === 'never' || rejects[stage]) {
    throw xs2aError(
      405,
      'CANCELLATION_INVALID',
      `The payment is ${shownStatus(payment)} and can no longer be cancelled`,
    )
  }
}

/** A payment in a basket is authorised and released with the basket. */
async function requireNotInBasket(context: Context, payment: Payment): Promise<void> {
  if (!isFinalStatus(payment.status) && (await isPaymentInBasket(context, payment))) {
    throw xs2aError(400, 'RESOURCE_BLOCKED', 'The payment is in a signing basket; delete that first')
  }
}

/** Where initiation starts an authorisation implicitly, cancellation does too. */
async function startIfImplicit(
  context: Context,
  call: Pick<Xs2aCall, 'bank' | 'headers'>,
  payment: Payment,
): Promise<StartedAuthorisation | null> {
  const start = { subject: 'cancellation', path: paymentPath(payment), resource: payment } as const
  return call.bank.signing.redirect === 'implicit' ? await startAuthorisation(context, call, start) : null
}
