/** Takes back the signatures of a payment that waits for more: it is to be signed anew. */
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import { endOfDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Notice } from '../push-notifications.ts'
import { bankOfRow } from '../world.ts'
import type { Payment } from './payment.ts'
import { changePayment } from './payment-store.ts'

/** The payment stands as when it was ordered; signings under way end. It is locked by the caller. */
export async function takeBackSignatures(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  taken: { readonly at: Temporal.Instant; readonly text: string },
): Promise<readonly Notice[]> {
  const { at, text } = taken
  const bank = bankOfRow(context.world, payment.bank)
  const change = {
    status: bank.initialStatus,
    status_text: text,
    script_step: null,
    unsigned_at: at.toString(),
    due_at: endOfDay(bank, payment.execution_on).toString(),
  }
  const notices = [...(await changePayment(transaction, payment, change, at))]
  for (const authorisation of await authorisationsOf(transaction, 'payment', payment.id)) {
    if (!isEnded(authorisation)) {
      notices.push(...(await endAuthorisation(transaction, authorisation, payment, 'cancelled')))
    }
  }
  return notices
}
