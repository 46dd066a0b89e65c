/** The reasons for which the bank rejects or cancels a payment that it has accepted. */
import type { TransactionStatus } from '../xs2a/transaction-status.ts'

export type PaymentRejection = {
  readonly status: Extract<TransactionStatus, 'RJCT' | 'CANC'>
  /** What the bank's user reads. */
  readonly text: string
  /** False where the bank reports insufficient funds. */
  readonly funds: boolean | null
}

export const REJECTION_REASONS = [
  'daily-limit',
  'account-closed',
  'insufficient-funds',
  'returned',
  'cancelled-by-bank',
] as const

export const paymentRejections: Readonly<Record<(typeof REJECTION_REASONS)[number], PaymentRejection>> = {
  'daily-limit': { status: 'RJCT', text: 'The daily limit of the agreement is used up', funds: null },
  'account-closed': { status: 'RJCT', text: "The receiver's account is closed", funds: null },
  'insufficient-funds': { status: 'RJCT', text: 'The account held too little money', funds: false },
  returned: { status: 'RJCT', text: "Returned by the receiver's bank", funds: null },
  'cancelled-by-bank': { status: 'CANC', text: 'Cancelled by the bank', funds: null },
}
