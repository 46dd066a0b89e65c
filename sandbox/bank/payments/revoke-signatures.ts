/** Revokes the signatures of a partly signed payment, which must then be signed again. */
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import { endOfDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'

/** Resets the payment to its initial status and ends open authorisations. The caller holds the lock on it. */
export async function revokeSignatures(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  taken: { readonly at: Temporal.Instant; readonly text: string },
): Promise<readonly PushNotification[]> {
  const { at, text } = taken
  const bank = requireBankByBic(context.fixture, payment.bank)
  const change = {
    status: bank.initialStatus,
    status_text: text,
    script_step: null,
    signatures_revoked_at: at.toString(),
    due_at: endOfDay(bank, payment.execution_on).toString(),
  }
  const notifications = [...(await updatePayment(transaction, payment, change, at))]
  for (const authorisation of await authorisationsOf(transaction, 'payment', payment.id)) {
    if (!isEnded(authorisation)) {
      notifications.push(...(await endAuthorisation(transaction, authorisation, payment, 'cancelled')))
    }
  }
  return notifications
}
