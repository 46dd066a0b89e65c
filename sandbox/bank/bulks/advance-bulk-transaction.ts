/** Executes the due step of one payment of a bulk and derives the status of the bulk. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { type Payment, shownStatus, type TransactionStatus } from '../payments/payment.ts'
import { lockPayment, statusNotification, updatePayment } from '../payments/payment-store.ts'
import { INSUFFICIENT_FUNDS_TEXT } from '../payments/wait-for-funds.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { BulkTransaction } from './bulk-transaction.ts'
import {
  type BulkTransactionChange,
  findBulkTransactionById,
  updateBulkTransactions,
} from './bulk-transaction-store.ts'
import { deriveBulkStatus } from './derive-bulk-status.ts'
import { nextBulkTransactionStep } from './next-bulk-transaction-step.ts'
import { postBulk } from './post-bulk.ts'

/** Executes its next step when that is due at an instant. */
export async function advanceBulkTransaction(
  context: BankContext,
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const found = await findBulkTransactionById(transaction, id)
  const bulk = found && (await lockPayment(transaction, found.bulk_id))
  const element = bulk && (await findBulkTransactionById(transaction, id))
  if (bulk === undefined || element?.due_at?.equals(at) !== true) {
    return []
  }
  const turn = nextBulkTransactionStep(requireBankByBic(context.fixture, bulk.bank), bulk.currency, element, at)
  if (turn === undefined) {
    return []
  }
  const { money, change } = turn
  const isMoved = money === 'stays' || (await postBulk(context, transaction, { bulk, elements: [element], money, at }))
  const unpaid = { ...change, status: 'RJCT', text: INSUFFICIENT_FUNDS_TEXT, dueAt: null } as const
  return await updateBulkTransaction(transaction, bulk, isMoved ? change : unpaid, at)
}

/** Sets the status of a payment in a locked bulk that was executed. */
export async function setBulkTransactionStatus(
  transaction: BankTransaction,
  bulk: Payment,
  { position, script_step: step }: BulkTransaction,
  { status, at }: { readonly status: TransactionStatus; readonly at: Temporal.Instant },
): Promise<readonly PushNotification[]> {
  return await updateBulkTransaction(transaction, bulk, { position, status, text: null, step, dueAt: null }, at)
}

/** The bulk's notification is sent even when the derived status is unchanged. */
async function updateBulkTransaction(
  transaction: BankTransaction,
  bulk: Payment,
  change: BulkTransactionChange,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  await updateBulkTransactions(transaction, bulk.id, [change])
  const status = await deriveBulkStatus(transaction, bulk)
  const notifications = await updatePayment(transaction, bulk, { status, due_at: null }, at)
  return notifications.length > 0 ? notifications : [statusNotification(bulk, shownStatus({ ...bulk, status }))]
}
