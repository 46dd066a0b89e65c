/** Lets an order wait for money that the payer lacks, and gives it up when the day is over. */
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Notice } from '../push-notifications.ts'
import { bankOfRow } from '../world.ts'
import type { Payment } from './payment.ts'
import { changePayment } from './payment-store.ts'

export const NO_FUNDS_TEXT = 'The account held too little money on the due day'

/** It is tried again when money comes in. */
export async function waitForFunds(
  { world }: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(world, payment.bank)
  const closesAt = payment.closes_at ?? endOfDay(bank, businessDay(bank, at))
  if (Temporal.Instant.compare(at, closesAt) >= 0) {
    const change = { status: 'RJCT', status_text: NO_FUNDS_TEXT, due_at: null } as const
    return await changePayment(transaction, payment, change, at)
  }
  const waiting = { funds_available: false, closes_at: closesAt.toString(), due_at: closesAt.toString() }
  return await changePayment(transaction, payment, waiting, at)
}
