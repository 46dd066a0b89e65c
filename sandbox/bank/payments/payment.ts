/** What a payment is at the bank: its statuses, and what may still be done in each. */
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
  /** How the money travels, and so what kind of number `creditor` is. */
  rail: Rail
  creditor: string
  creditor_name: string
  amount_minor: bigint
  currency: string
  message: string | null
  reference: string | null
  /** The day asked for; null in rows from before the bank kept it. */
  requested_on: ColumnType<Temporal.PlainDate | null, string | null, string | null>
  execution_on: Day
  status: TransactionStatus
  /** The last status that third parties see of what goes well. */
  last_visible: BankProfile['lastVisible']
  status_text: string | null
  funds_available: boolean | null
  /** Whether nobody signed it in time. */
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
  /** When the last signature it takes was given. */
  signed_at: OptionalTimestamp
  /** When a payment without funds is given up. */
  closes_at: OptionalTimestamp
  due_at: OptionalTimestamp
  /** Steps taken of a scripted outcome; null without. */
  script_step: number | null
  /** When signatures were taken back; those given before count no more. */
  unsigned_at: OptionalTimestamp
  /** The basket it is signed with; null when it is signed by itself. */
  basket_id: string | null
  /** How many payments it is that are signed as one; then `creditor` is a digest of them. Null for a single payment. */
  bulk_size: number | null
}

export type Payment = Selectable<PaymentTable>

/** How far execution has come: not begun, begun, or over. */
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

/** Whether nothing happens to the payment any more. */
export function isOver(status: TransactionStatus): boolean {
  return stageByStatus[status] === 'over'
}

/** Whether it ended without being carried out. */
export function isUnwanted(status: TransactionStatus): boolean {
  return status === 'RJCT' || status === 'CANC'
}

export function isExecuting(status: TransactionStatus): boolean {
  return stageByStatus[status] === 'executing'
}

/** What third parties see: some banks show nothing of what happens once a payment is accepted, unless it fails. */
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

/** Whether a signature may still be given. */
export function maySign(payment: Payment): boolean {
  return payment.signed_at === null && stageByStatus[payment.status] === 'waiting'
}

/** Whether the payment can still be stopped, and if so before or after it was signed. */
export function stoppable(payment: Payment): 'unsigned' | 'signed' | 'never' {
  if (stageByStatus[payment.status] !== 'waiting') {
    return 'never'
  }
  return payment.signed_at === null ? 'unsigned' : 'signed'
}
