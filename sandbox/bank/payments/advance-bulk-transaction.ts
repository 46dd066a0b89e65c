/** Executes the transactions of a bulk: booked together on the day, then each by its scripted outcome. */
import { findRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { outcomeOfPayment, stepDueAt } from '../outcomes/script-steps.ts'
import type { ScriptStep } from '../outcomes/scripted-outcome.ts'
import { isFinalStatus, type TransactionStatus } from '../xs2a/transaction-status.ts'
import { type BulkTransaction, statusOfBulk } from './bulk-transaction.ts'
import {
  type BulkTransactionChange,
  findBulkTransactions,
  statusesIn,
  updateBulkTransactions,
} from './bulk-transaction-store.ts'
import { type Payment, shownStatus } from './payment.ts'
import { notifyPaymentStatus, updatePayment } from './payment-store.ts'
import { INSUFFICIENT_FUNDS_TEXT, postTransactions } from './post-transactions.ts'

const RETURNED_TEXT = 'Returned with all payments of its order'

/** One step of a transaction: where its money moves, and its columns afterwards. */
type BulkTransactionStep = {
  readonly element: BulkTransaction
  readonly money: 'out' | 'back' | 'stays'
  readonly change: BulkTransactionChange & { readonly status: TransactionStatus }
}

/** For a transaction without a scripted outcome. */
const BOOKED_AT_ONCE: readonly ScriptStep[] = [{ after: 'PT0S', action: { type: 'book' } }]

/** Executes its next step when that is due at an instant. */
export async function advanceBulkTransaction(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const found = await findRow(context, 'bulk_transactions', { id })
  const order = found && (await findRow(context, 'payments', { id: found.bulk_id }, { lock: true }))
  const element = order && (await findRow(context, 'bulk_transactions', { id }))
  if (order === undefined || element?.due_at?.equals(at) !== true) {
    return
  }
  const step = nextStep(requireBankByBic(context.fixture, order.bank), order.currency, element, at)
  if (step !== undefined) {
    const { money, change } = step
    const isMoved =
      money === 'stays' || (await postTransactions(context, { order, transactions: [element], money, at }))
    const unpaid = { ...change, status: 'RJCT', text: INSUFFICIENT_FUNDS_TEXT, dueAt: null } as const
    await updateBulkTransaction(context, order, isMoved ? change : unpaid, at)
  }
}

/** Sets the status of a transaction in a locked bulk that was executed. */
export async function setBulkTransactionStatus(
  context: Context,
  bulk: Payment,
  { position, script_step: step }: BulkTransaction,
  { status, at }: { readonly status: TransactionStatus; readonly at: Temporal.Instant },
): Promise<void> {
  await updateBulkTransaction(context, bulk, { position, status, text: null, step, dueAt: null }, at)
}

/** The bulk's notification is sent even when the derived status is unchanged. */
async function updateBulkTransaction(
  context: Context,
  bulk: Payment,
  change: BulkTransactionChange,
  at: Temporal.Instant,
): Promise<void> {
  await updateBulkTransactions(context, bulk.id, [change])
  const status = await deriveBulkStatus(context, bulk)
  await updatePayment(context, bulk, { status, due_at: null }, at)
  const shown = shownStatus({ ...bulk, status })
  if (shown === shownStatus(bulk)) {
    notifyPaymentStatus(context, bulk, shown)
  }
}

async function deriveBulkStatus(context: Context, bulk: Payment): Promise<TransactionStatus> {
  const statuses = await statusesIn(context, bulk.id)
  return statusOfBulk(statuses.map((status) => status ?? bulk.status))
}

/** Books the transactions when the debtor has funds for all; returns the bulk's status, null without funds. */
export async function bookBulkTransactions(
  context: Context,
  bulk: Payment,
  at: Temporal.Instant,
): Promise<TransactionStatus | null> {
  const bank = requireBankByBic(context.fixture, bulk.bank)
  const steps = (await findBulkTransactions(context, bulk.id)).flatMap((element) =>
    element.status === null ? (nextStep(bank, bulk.currency, element, at) ?? []) : settleRemaining(element),
  )
  const paid = steps.filter(({ money }) => money === 'out').map(({ element }) => element)
  const posting = { order: bulk, transactions: paid, money: 'out', at } as const
  if (paid.length > 0 && !(await postTransactions(context, posting))) {
    return null
  }
  await updateBulkTransactions(
    context,
    bulk.id,
    steps.map(({ change }) => change),
  )
  return await deriveBulkStatus(context, bulk)
}

/** Settling an executed bulk by the control API concerns its pending transactions. */
function settleRemaining(element: BulkTransaction): readonly BulkTransactionStep[] {
  const { position, status, script_step: step } = element
  return status === null || isFinalStatus(status)
    ? []
    : [{ element, money: 'out', change: { position, step, status: 'ACSC', text: null, dueAt: null } }]
}

/** Reverses everything that was booked. */
export async function returnBulkTransactions(context: Context, bulk: Payment, at: Temporal.Instant): Promise<void> {
  const booked = (await findBulkTransactions(context, bulk.id)).filter(({ status }) => status === 'ACSC')
  await postTransactions(context, { order: bulk, transactions: booked, money: 'back', at })
  const changes = booked.map(({ position, script_step: step }) => ({ position, step, dueAt: null }))
  await updateBulkTransactions(
    context,
    bulk.id,
    changes.map((change) => ({ ...change, status: 'RJCT', text: RETURNED_TEXT })),
  )
}

/** The step that is due at an instant; undefined after the last. The first is due when the bulk is executed. */
function nextStep(
  bank: BankProfile,
  currency: string,
  element: BulkTransaction,
  at: Temporal.Instant,
): BulkTransactionStep | undefined {
  const { amount_minor, position } = element
  const steps = outcomeOfPayment({ amount_minor, currency })?.script.signed ?? BOOKED_AT_ONCE
  const action = steps[element.script_step]?.action
  if (action === undefined) {
    return undefined
  }
  const step = element.script_step + 1
  const following = steps[step]
  const moved = { position, step, dueAt: following === undefined ? null : stepDueAt(bank, following, at) }
  switch (action.type) {
    case 'book':
      return { element, money: 'out', change: { ...moved, status: 'ACSC', text: null } }
    case 'return':
      return { element, money: 'back', change: { ...moved, status: 'RJCT', text: action.text } }
    case 'status':
      return { element, money: 'stays', change: { ...moved, status: action.status, text: action.text ?? null } }
    default:
      throw new Error(`No payment in a bulk is told to ${action.type} once it is signed`)
  }
}
