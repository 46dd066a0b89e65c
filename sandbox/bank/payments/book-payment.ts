/** Books a payment for debtor and creditor when the debtor has the funds; otherwise it waits for them. */
import { type AccountBalance, bookEntry, lockPayingAccounts } from '../accounts/account-store.ts'
import { endToEndIdOf } from '../accounts/pending-store.ts'
import { businessDay } from '../bank-calendar.ts'
import { bookBulk } from '../bulks/advance-bulk-transaction.ts'
import { isBulk } from '../bulks/bulk-transaction.ts'
import type { BankTransaction, Context } from '../context.ts'
import { accountOf, requireBankByBic } from '../fixture-lookup.ts'
import type { PushNotification } from '../push-notifications.ts'
import { enqueueFxNotification } from './notify-fx-provider.ts'
import type { Payment } from './payment.ts'
import { retryUnfunded, updatePayment } from './payment-store.ts'
import { receivingAccount } from './resolve-parties.ts'
import { waitForFunds } from './wait-for-funds.ts'

/** Books an order when the debtor has the funds; otherwise it waits until the end of the day, and is then rejected. */
export async function bookPayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  if (isBulk(payment)) {
    return await bookBulk(context, transaction, payment, at)
  }
  const bank = requireBankByBic(context.fixture, payment.bank)
  const to = receivingAccount(context.fixture, bank, payment)
  const from = { bank: payment.bank, bban: payment.debtor }
  const accounts = await lockPayingAccounts(transaction, from, to && { bank: to.bic, bban: to.bban })
  const { debtor, creditor } = accounts
  if (debtor === undefined || debtor.balance_minor < payment.amount_minor) {
    return await waitForFunds(context, transaction, payment, at)
  }
  await postEntries(context, transaction, payment, { at, debtor, creditor })
  const booked = { status: 'ACSC', funds_available: true, due_at: null, funds_deadline_at: null } as const
  return await updatePayment(transaction, payment, booked, at)
}

async function postEntries(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  { at, debtor, creditor }: { at: Temporal.Instant; debtor: AccountBalance; creditor: AccountBalance | undefined },
): Promise<void> {
  const posting = {
    day: businessDay(requireBankByBic(context.fixture, payment.bank), at),
    at,
    message: payment.message,
    reference: payment.reference,
    endToEndId: endToEndIdOf(payment),
    paymentId: payment.id,
  }
  await bookEntry(transaction, debtor, {
    ...posting,
    minor: -payment.amount_minor,
    counterparty: payment.creditor_name,
    counterpartyAccount: payment.creditor,
  })
  if (creditor === undefined) {
    await enqueueFxNotification(context, transaction, payment, at)
  } else if (creditor !== debtor) {
    await bookEntry(transaction, creditor, {
      ...posting,
      minor: payment.amount_minor,
      counterparty: accountOf(context.fixture, payment.bank, payment.debtor)?.ownerName ?? payment.debtor,
      counterpartyAccount: payment.debtor,
    })
    await retryUnfunded(transaction, creditor, at)
  }
}
