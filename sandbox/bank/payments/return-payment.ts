/** Books the money of an order back that was carried out. */
import { newId } from '../../../gateway/platform/ids.ts'
import { bookEntry, lockPayingAccounts } from '../accounts/account-store.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { returnBulk } from '../bulks/book-bulk.ts'
import { isBulk } from '../bulks/bulk-transaction.ts'
import { accountOf, bankOfRow } from '../world.ts'
import type { Payment } from './payment.ts'
import { receivingAccount } from './resolve-parties.ts'

/** Books the money of an order back to the payer, and away from receivers whose accounts are in this world. */
export async function bookBack(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<void> {
  if (isBulk(payment)) {
    return await returnBulk(context, transaction, payment, at)
  }
  const { world } = context
  const bank = bankOfRow(world, payment.bank)
  const to = receivingAccount(world, bank, payment)
  const from = { bank: payment.bank, bban: payment.debtor }
  const { debtor, creditor } = await lockPayingAccounts(transaction, from, to && { bank: to.bic, bban: to.bban })
  const posting = {
    day: businessDay(bank, at),
    at,
    message: 'Returned payment',
    reference: payment.reference,
    paymentId: payment.id,
  }
  if (debtor !== undefined) {
    const receiver = { counterparty: payment.creditor_name, counterpartyAccount: payment.creditor }
    await bookEntry(transaction, debtor, { ...posting, ...receiver, minor: payment.amount_minor, lastingId: newId() })
  }
  if (creditor !== undefined) {
    const payer = accountOf(world, payment.bank, payment.debtor)?.ownerName ?? payment.debtor
    const away = { counterparty: payer, counterpartyAccount: payment.debtor }
    await bookEntry(transaction, creditor, { ...posting, ...away, minor: -payment.amount_minor, lastingId: newId() })
  }
}
