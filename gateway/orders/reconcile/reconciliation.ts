/** Defines what a reconciliation with the banks compares, and what it finds that the database does not hold. */
import { createHash } from 'node:crypto'
import type { TaskKind } from '../../operators/operator-task.ts'

/** Orders are looked for that were submitted in the window, in wall time, and debits that were booked on its days. */
export type ReconciliationWindow = { readonly from: Temporal.Instant; readonly to: Temporal.Instant }

/**
 * An account that was compared. `without-ids`: entries of its bank do not name our orders, so they were not read.
 * `failed`: the bank could not be read, and `text` says why. The conversions of the FX provider are compared as an account.
 */
export type ComparedAccount = {
  readonly partnerId: string
  readonly bank: string
  readonly organisationNumber: string
  /** The same for the account under every consent. */
  readonly account: string
  readonly outcome: 'compared' | 'without-ids' | 'failed'
  readonly text: string | null
  readonly debits: number
}

/** An order that the bank, the FX provider or the log holds, and the database does not, or as one that has ended. */
export type FoundOrder = {
  readonly partnerId: string
  readonly bank: string
  readonly kind: Extract<TaskKind, 'UnrecordedOrder' | 'ExecutedAfterEnd' | 'UnrecordedDeal'>
  /** The same whenever it is found: the payment, the deal, or an id derived from what names the order. */
  readonly subjectId: string
  /** Of orders ids and days only: it may be of a payroll. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** What a reconciliation has done. */
export type Reconciliation = {
  readonly accounts: readonly ComparedAccount[]
  /** `isNew` when it became an operator task now. */
  readonly orders: readonly (FoundOrder & { readonly isNew: boolean })[]
  /** How many submissions the log names within the window; null when no log was read. */
  readonly submissionsInLog: number | null
  /** How many lines of the log name an order and cannot be read: it may be a lost one. */
  readonly unreadableLines: number
  /** How many idempotency keys of lost orders are answered with 409 from now on. */
  readonly keysBlocked: number
}

/** The subject of an order by what names it, in the form of a UUID of version 8: the same whenever it is found. */
export function subjectOfNamedOrder(partnerId: string, bic: string, endToEndId: string): string {
  const hex = createHash('sha256').update(`${partnerId} ${bic} ${endToEndId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
