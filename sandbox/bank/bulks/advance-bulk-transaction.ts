/** Executes the due step of one payment of a bulk, books a bulk, and derives its status. */
import type { BankTransaction, Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { isFinalStatus, type Payment, shownStatus, type TransactionStatus } from '../payments/payment.ts'
import { lockPayment, statusNotification, updatePayment } from '../payments/payment-store.ts'
import { INSUFFICIENT_FUNDS_TEXT, waitForFunds } from '../payments/wait-for-funds.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { BulkTransaction } from './bulk-transaction.ts'
import {
  type BulkTransactionChange,
  findBulkTransactionById,
  findBulkTransactions,
  updateBulkTransactions,
} from './bulk-transaction-store.ts'
import { type BulkTransactionStep, deriveBulkStatus, nextBulkTransactionStep } from './next-bulk-transaction-step.ts'
import { postBulk } from './post-bulk.ts'

/** Executes its next step when that is due at an instant. */
export async function advanceBulkTransaction(
  context: Context,
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

const RETURNED_TEXT = 'Returned with all payments of its order'

/** Books the bulk when the debtor has funds for all of it; otherwise it waits until the end of the day. */
export async function bookBulk(
  context: Context,
  transaction: BankTransaction,
  bulk: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const bank = requireBankByBic(context.fixture, bulk.bank)
  const elements = await findBulkTransactions(transaction, bulk.id)
  const turns = elements.flatMap((element) =>
    element.status === null
      ? (nextBulkTransactionStep(bank, bulk.currency, element, at) ?? [])
      : settleRemainingTransaction(element),
  )
  const paid = turns.filter(({ money }) => money === 'out').map(({ element }) => element)
  if (paid.length > 0 && !(await postBulk(context, transaction, { bulk, elements: paid, money: 'out', at }))) {
    return await waitForFunds(context, transaction, bulk, at)
  }
  await updateBulkTransactions(
    transaction,
    bulk.id,
    turns.map(({ change }) => change),
  )
  const status = await deriveBulkStatus(transaction, bulk)
  const booked = { status, funds_available: true, due_at: null, funds_deadline_at: null } as const
  return await updatePayment(transaction, bulk, booked, at)
}

/** Settling an executed bulk by the control API concerns its pending payments. */
function settleRemainingTransaction(element: BulkTransaction): readonly BulkTransactionStep[] {
  const { position, status, script_step: step } = element
  return status === null || isFinalStatus(status)
    ? []
    : [{ element, money: 'out', change: { position, step, status: 'ACSC', text: null, dueAt: null } }]
}

/** Reverses everything that was booked. */
export async function returnBulk(
  context: Context,
  transaction: BankTransaction,
  bulk: Payment,
  at: Temporal.Instant,
): Promise<void> {
  const booked = (await findBulkTransactions(transaction, bulk.id)).filter(({ status }) => status === 'ACSC')
  await postBulk(context, transaction, { bulk, elements: booked, money: 'back', at })
  await updateBulkTransactions(
    transaction,
    bulk.id,
    booked.map(({ position, script_step: step }) => ({
      position,
      step,
      dueAt: null,
      status: 'RJCT',
      text: RETURNED_TEXT,
    })),
  )
}
