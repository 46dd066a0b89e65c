/** Books what was pending, under the id that it had before. */
import { businessDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import { bankOfRow } from '../world.ts'
import { bookEntry, lockAccounts } from './account-store.ts'
import { takePending } from './pending-store.ts'

/** Books one whose time has come; payments that waited for money are tried again. */
export async function bookPending(
  context: BankContext,
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<void> {
  const pending = await takePending(transaction, id, at)
  if (pending === undefined) {
    return
  }
  const { bank, bban } = pending
  const [account] = await lockAccounts(transaction, bank, [bban])
  if (account !== undefined) {
    await bookEntry(transaction, account, {
      minor: pending.amount_minor,
      day: businessDay(bankOfRow(context.world, bank), at),
      at,
      counterparty: pending.counterparty,
      counterpartyAccount: pending.counterparty_account,
      message: pending.message,
      reference: pending.reference,
      endToEndId: pending.end_to_end_id,
      paymentId: null,
      lastingId: id,
      parts: pending.parts,
    })
    await retryUnfunded(transaction, account, at)
  }
}
