/** Reverses the booking of an executed order. */
import { newId } from '../../../gateway/platform/ids.ts'
import { bookEntry, lockPayingAccounts } from '../accounts/account-store.ts'
import { businessDay } from '../bank-calendar.ts'
import { returnBulk } from '../bulks/advance-bulk-transaction.ts'
import { isBulk } from '../bulks/bulk-transaction.ts'
import type { BankTransaction, Context } from '../context.ts'
import { accountOf, requireBankByBic } from '../fixture-lookup.ts'
import type { Payment } from './payment.ts'
import { receivingAccount } from './resolve-parties.ts'

/** Credits the debtor again, and debits creditors whose accounts are in this fixture. */
export async function returnPayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<void> {
  if (isBulk(payment)) {
    return await returnBulk(context, transaction, payment, at)
  }
  const { fixture } = context
  const bank = requireBankByBic(fixture, payment.bank)
  const to = receivingAccount(fixture, bank, payment)
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
    await bookEntry(transaction, debtor, {
      ...posting,
      ...receiver,
      minor: payment.amount_minor,
      persistentId: newId(),
    })
  }
  if (creditor !== undefined) {
    const payer = accountOf(fixture, payment.bank, payment.debtor)?.ownerName ?? payment.debtor
    const away = { counterparty: payer, counterpartyAccount: payment.debtor }
    await bookEntry(transaction, creditor, { ...posting, ...away, minor: -payment.amount_minor, persistentId: newId() })
  }
}
