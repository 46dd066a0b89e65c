/** Describes a payment status in plain text. */
import type { TransactionStatus } from './payment.ts'

export const statusText: Readonly<Record<TransactionStatus, string>> = {
  RCVD: 'received, not signed',
  PDNG: 'being checked',
  PATC: 'needs another signature',
  ACTC: 'accepted',
  ACCP: 'accepted',
  ACFC: 'accepted, funds checked',
  ACWC: 'accepted with a change',
  ACWP: 'on its way',
  ACSP: 'being executed',
  ACSC: 'paid',
  ACCC: 'paid, on the creditor’s account',
  PART: 'partly accepted',
  RJCT: 'rejected',
  CANC: 'cancelled',
}
