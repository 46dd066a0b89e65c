/** Determines the next step of one payment of a bulk: it is booked, or follows its scripted outcome. */

import type { BankTransaction } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { stepDueAt } from '../outcomes/script-steps.ts'
import type { ScriptStep } from '../outcomes/scripted-outcome.ts'
import { scriptedOutcomeOf } from '../outcomes/scripted-outcome-table.ts'
import type { Payment, TransactionStatus } from '../payments/payment.ts'
import { type BulkTransaction, statusOfBulk } from './bulk-transaction.ts'
import { type BulkTransactionChange, statusesIn } from './bulk-transaction-store.ts'

/** One step of a payment: where its money moves, and its columns afterwards. */
export type BulkTransactionStep = {
  readonly element: BulkTransaction
  readonly money: 'out' | 'back' | 'stays'
  readonly change: BulkTransactionChange & { readonly status: TransactionStatus }
}

/** For a payment without a scripted outcome. */
const BOOKED_AT_ONCE: readonly ScriptStep[] = [{ after: 'PT0S', action: { type: 'book' } }]

/** The step that is due at an instant; undefined after the last. The first is due when the bulk is executed. */
export function nextBulkTransactionStep(
  bank: BankProfile,
  currency: string,
  element: BulkTransaction,
  at: Temporal.Instant,
): BulkTransactionStep | undefined {
  const steps = scriptedOutcomeOf({ minor: element.amount_minor, currency })?.script.signed ?? BOOKED_AT_ONCE
  const action = steps[element.script_step]?.action
  if (action === undefined) {
    return undefined
  }
  const step = element.script_step + 1
  const following = steps[step]
  const dueAt = following === undefined ? null : stepDueAt(bank, following, at)
  const moved = { position: element.position, step, dueAt }
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

export async function deriveBulkStatus(transaction: BankTransaction, bulk: Payment): Promise<TransactionStatus> {
  const statuses = await statusesIn(transaction, bulk.id)
  return statusOfBulk(statuses.map((status) => status ?? bulk.status))
}
