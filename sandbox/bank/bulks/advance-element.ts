/** Does what is due of one payment in a bulk that was carried out, and lets the bulk say what that makes of it. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { type Payment, shownStatus, type TransactionStatus } from '../payments/payment.ts'
import { changePayment, lockPayment, statusNotice } from '../payments/payment-store.ts'
import { NO_FUNDS_TEXT } from '../payments/wait-for-funds.ts'
import type { Notice } from '../push-notifications.ts'
import { bankOfRow } from '../world.ts'
import type { Element } from './bulk-transaction.ts'
import { changeElements, type ElementChange, elementById } from './bulk-transaction-store.ts'
import { drawnStatus } from './derive-bulk-status.ts'
import { postBulk } from './post-bulk.ts'
import { nextTurn } from './turn.ts'

/** Takes its next step when that is due at an instant. */
export async function advanceElement(
  context: BankContext,
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const found = await elementById(transaction, id)
  const bulk = found && (await lockPayment(transaction, found.bulk_id))
  const element = bulk && (await elementById(transaction, id))
  if (bulk === undefined || element?.due_at?.equals(at) !== true) {
    return []
  }
  const turn = nextTurn(bankOfRow(context.world, bulk.bank), bulk.currency, element, at)
  if (turn === undefined) {
    return []
  }
  const { money, change } = turn
  const isMoved = money === 'stays' || (await postBulk(context, transaction, { bulk, elements: [element], money, at }))
  const unpaid = { ...change, status: 'RJCT', text: NO_FUNDS_TEXT, dueAt: null } as const
  return await changeOne(transaction, bulk, isMoved ? change : unpaid, at)
}

/** Sets the status of a payment in a locked bulk that was carried out. */
export async function setElementStatus(
  transaction: BankTransaction,
  bulk: Payment,
  { position, script_step: step }: Element,
  { status, at }: { readonly status: TransactionStatus; readonly at: Temporal.Instant },
): Promise<readonly Notice[]> {
  return await changeOne(transaction, bulk, { position, status, text: null, step, dueAt: null }, at)
}

/** Whoever follows the bulk is told also when it is called the same as before. */
async function changeOne(
  transaction: BankTransaction,
  bulk: Payment,
  change: ElementChange,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  await changeElements(transaction, bulk.id, [change])
  const status = await drawnStatus(transaction, bulk)
  const notices = await changePayment(transaction, bulk, { status, due_at: null }, at)
  return notices.length > 0 ? notices : [statusNotice(bulk, shownStatus({ ...bulk, status }))]
}
