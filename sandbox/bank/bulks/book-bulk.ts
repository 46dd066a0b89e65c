/** Executes a bulk on its day: books its payments in one transaction, and starts the scripted outcomes. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { isFinalStatus, type Payment } from '../payments/payment.ts'
import { updatePayment } from '../payments/payment-store.ts'
import { waitForFunds } from '../payments/wait-for-funds.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { BulkTransaction } from './bulk-transaction.ts'
import { findBulkTransactions, updateBulkTransactions } from './bulk-transaction-store.ts'
import { deriveBulkStatus } from './derive-bulk-status.ts'
import { type BulkTransactionStep, nextBulkTransactionStep } from './next-bulk-transaction-step.ts'
import { postBulk } from './post-bulk.ts'

const RETURNED_TEXT = 'Returned with all payments of its order'

/** Books the bulk when the debtor has funds for all of it; otherwise it waits until the end of the day. */
export async function bookBulk(
  context: BankContext,
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
  context: BankContext,
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
