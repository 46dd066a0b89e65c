/** The standard's statuses of orders and of the payments in them. */

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

/** The progress of execution, and how the pages name the status. */
const statuses: Readonly<
  Record<TransactionStatus, { readonly stage: 'waiting' | 'executing' | 'over'; readonly text: string }>
> = {
  RCVD: { stage: 'waiting', text: 'received, not signed' },
  PDNG: { stage: 'waiting', text: 'being checked' },
  PATC: { stage: 'waiting', text: 'needs another signature' },
  ACTC: { stage: 'waiting', text: 'accepted' },
  ACCP: { stage: 'waiting', text: 'accepted' },
  ACFC: { stage: 'waiting', text: 'accepted, funds checked' },
  ACWC: { stage: 'waiting', text: 'accepted with a change' },
  ACWP: { stage: 'executing', text: 'on its way' },
  ACSP: { stage: 'executing', text: 'being executed' },
  ACSC: { stage: 'over', text: 'paid' },
  ACCC: { stage: 'over', text: 'paid, on the creditor’s account' },
  PART: { stage: 'over', text: 'partly accepted' },
  RJCT: { stage: 'over', text: 'rejected' },
  CANC: { stage: 'over', text: 'cancelled' },
}

export function statusText(status: TransactionStatus): string {
  return statuses[status].text
}

/** Whether its execution has not begun. */
export function isWaitingStatus(status: TransactionStatus): boolean {
  return statuses[status].stage === 'waiting'
}

export function isExecuting(status: TransactionStatus): boolean {
  return statuses[status].stage === 'executing'
}

export function isFinalStatus(status: TransactionStatus): boolean {
  return statuses[status].stage === 'over'
}

/** Whether it ended without being executed. */
export function isRejectedOrCancelled(status: TransactionStatus): boolean {
  return status === 'RJCT' || status === 'CANC'
}
