/** A payment at the bank: its statuses, and the operations that each permits. */
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Day, Json, OptionalTimestamp, Timestamp } from '../column-types.ts'
import type { BankProfile, Rail } from '../fixture.ts'

export const TRANSACTION_STATUSES = [
  'RCVD',
  'PDNG',
  'PATC',
  'ACTC',
  'ACCP',
  'ACFC',
  'ACWC',
  'ACWP',
  'ACSP',
  'ACSC',
  'ACCC',
  'PART',
  'RJCT',
  'CANC',
] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

export type PaymentTable = {
  position: Generated<bigint>
  id: string
  bank: string
  service: string
  product: string
  body: Json<Record<string, unknown>>
  debtor: string
  /** The payment rail, which determines the kind of number in `creditor`. */
  rail: Rail
  creditor: string
  creditor_name: string
  amount_minor: bigint
  currency: string
  message: string | null
  reference: string | null
  /** The requested day; null in rows older than this column. */
  requested_on: ColumnType<Temporal.PlainDate | null, string | null, string | null>
  execution_on: Day
  status: TransactionStatus
  /** The last status of a successful payment that third parties see. */
  last_visible: BankProfile['lastVisible']
  status_text: string | null
  funds_available: boolean | null
  /** Whether it expired unsigned. */
  lapsed: boolean
  request_id: string
  psu_id: string | null
  corporate_id: string | null
  redirect_uri: string | null
  nok_redirect_uri: string | null
  notification_uri: string | null
  notification_content: string | null
  created_at: Timestamp
  changed_at: Timestamp
  /** When the last required signature was given. */
  signed_at: OptionalTimestamp
  /** When a payment without funds is rejected. */
  funds_deadline_at: OptionalTimestamp
  due_at: OptionalTimestamp
  /** The number of executed script steps; null without a script. */
  script_step: number | null
  /** When signatures were revoked; earlier ones no longer count. */
  signatures_revoked_at: OptionalTimestamp
  /** The basket it is signed with; null when it is signed alone. */
  basket_id: string | null
  /** The number of payments in a bulk, in which case `creditor` is a digest of them. Null for a single payment. */
  bulk_size: number | null
}

export type Payment = Selectable<PaymentTable>

/** The progress of execution: waiting, in progress, or final. */
const stageByStatus: Readonly<Record<TransactionStatus, 'waiting' | 'executing' | 'over'>> = {
  RCVD: 'waiting',
  PDNG: 'waiting',
  PATC: 'waiting',
  ACTC: 'waiting',
  ACCP: 'waiting',
  ACFC: 'waiting',
  ACWC: 'waiting',
  ACWP: 'executing',
  ACSP: 'executing',
  ACSC: 'over',
  ACCC: 'over',
  PART: 'over',
  RJCT: 'over',
  CANC: 'over',
}

export function isFinalStatus(status: TransactionStatus): boolean {
  return stageByStatus[status] === 'over'
}

/** Whether it ended without being executed. */
export function isRejectedOrCancelled(status: TransactionStatus): boolean {
  return status === 'RJCT' || status === 'CANC'
}

export function isExecuting(status: TransactionStatus): boolean {
  return stageByStatus[status] === 'executing'
}

/** The status for third parties: some banks hide the statuses after acceptance, unless the payment fails. */
export function shownStatus({
  status,
  last_visible: last,
}: Pick<Payment, 'status' | 'last_visible'>): TransactionStatus {
  const isSettled = status === 'ACSC' || status === 'ACCC'
  if (last === 'settled' || !(isSettled || isExecuting(status))) {
    return status
  }
  return last
}

/** Whether another signature is permitted. */
export function maySign(payment: Payment): boolean {
  return payment.signed_at === null && stageByStatus[payment.status] === 'waiting'
}

/** Whether the payment can still be cancelled, and if so before or after it was authorised. */
export function cancellability(payment: Payment): 'unsigned' | 'signed' | 'never' {
  if (stageByStatus[payment.status] !== 'waiting') {
    return 'never'
  }
  return payment.signed_at === null ? 'unsigned' : 'signed'
}
