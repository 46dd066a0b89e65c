/** What a payment is at the bank: its statuses, and what may still be done in each. */
import type { Selectable } from 'kysely'
import type { PaymentTable } from '../tables.ts'

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
