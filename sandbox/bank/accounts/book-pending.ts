/** Books a pending entry under the id that it had while pending. */
import { businessDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import { bookEntry, lockAccounts } from './account-store.ts'
import { deletePendingIfDue } from './pending-store.ts'

/** Books an entry that is due; payments that lacked funds are retried. */
export async function bookPending(
  context: BankContext,
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<void> {
  const pending = await deletePendingIfDue(transaction, id, at)
  if (pending === undefined) {
    return
  }
  const { bank, bban } = pending
  const [account] = await lockAccounts(transaction, bank, [bban])
  if (account !== undefined) {
    await bookEntry(transaction, account, {
      minor: pending.amount_minor,
      day: businessDay(requireBankByBic(context.fixture, bank), at),
      at,
      counterparty: pending.counterparty,
      counterpartyAccount: pending.counterparty_account,
      message: pending.message,
      reference: pending.reference,
      endToEndId: pending.end_to_end_id,
      paymentId: null,
      persistentId: id,
      parts: pending.parts,
    })
    await retryUnfunded(transaction, account, at)
  }
}
