/** Makes an order wait for missing funds, and rejects it at the end of the day. */
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'

export const INSUFFICIENT_FUNDS_TEXT = 'The account had insufficient funds on the due day'

/** It is retried when the account is credited. */
export async function waitForFunds(
  { fixture }: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const bank = requireBankByBic(fixture, payment.bank)
  const closesAt = payment.funds_deadline_at ?? endOfDay(bank, businessDay(bank, at))
  if (Temporal.Instant.compare(at, closesAt) >= 0) {
    const change = { status: 'RJCT', status_text: INSUFFICIENT_FUNDS_TEXT, due_at: null } as const
    return await updatePayment(transaction, payment, change, at)
  }
  const waiting = { funds_available: false, funds_deadline_at: closesAt.toString(), due_at: closesAt.toString() }
  return await updatePayment(transaction, payment, waiting, at)
}
