/** Scripted outcomes of authorised payments: their final status, and what delays it. */

import type { TransactionStatus } from '../xs2a/transaction-status.ts'
import {
  atPayment,
  book,
  bookedInAnHour,
  executing,
  NEXT_BANK_DAY,
  type Outcome,
  setStatus,
} from './scripted-outcome.ts'

type PaymentRejection = {
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

/** A bank-specific code for a payment that awaits a text message. */
export const SMS_CODE = 'SMS_CONFIRMATION_REQUIRED'

export const executionOutcomes: readonly Outcome[] = [
  {
    amount: 7701,
    name: 'Completed at once',
    tells: 'The bank books the payment as soon as it is signed.',
    script: { signed: [book('PT0S')] },
    seen: atPayment(['signed', 'ACSC', 'Completed']),
  },
  {
    amount: 7702,
    name: 'Rejected at once',
    tells: 'The bank rejects the payment as soon as it is signed.',
    script: { signed: [setStatus('PT0S', 'RJCT', { text: paymentRejections['daily-limit'].text })] },
    seen: atPayment(['signed', 'RJCT', 'Rejected']),
  },
  {
    amount: 7703,
    name: 'Rejected later',
    tells: 'The bank starts to execute the payment and rejects it a minute later.',
    script: { signed: [executing, setStatus('PT1M', 'RJCT', { text: paymentRejections['account-closed'].text })] },
    seen: atPayment(['signed', 'ACSP', 'InProgress'], ['PT1M', 'RJCT', 'Rejected']),
  },
  {
    amount: 7704,
    name: 'Cancelled by the bank',
    tells: 'The bank accepts the payment, and cancels it a minute later.',
    script: {
      signed: [
        setStatus('PT0S', 'ACTC'),
        setStatus('PT1M', 'CANC', { text: paymentRejections['cancelled-by-bank'].text }),
      ],
    },
    seen: atPayment(['signed', 'ACTC', 'InProgress'], ['PT1M', 'CANC', 'Cancelled']),
  },
  {
    amount: 7705,
    name: 'Rejected after it was completed',
    tells: 'The bank books the payment at once; it is returned on the next bank day.',
    script: {
      signed: [
        book('PT0S'),
        { after: NEXT_BANK_DAY, action: { type: 'return', text: paymentRejections.returned.text } },
      ],
    },
    seen: atPayment(['signed', 'ACSC', 'Completed'], [NEXT_BANK_DAY, 'RJCT', 'Rejected']),
  },
  {
    amount: 7706,
    name: 'Stuck',
    tells: 'The bank starts to execute the payment, and its status never changes again.',
    script: { signed: [executing] },
    seen: atPayment(['signed', 'ACSP', 'InProgress'], ['P5D', 'ACSP', 'InProgress']),
  },
  {
    amount: 7707,
    name: 'Held for checks',
    tells: 'The bank holds the signed payment for two days to check it, and then books it.',
    script: { signed: [setStatus('PT0S', 'PDNG', { text: 'The payment is being checked' }), book('PT48H')] },
    seen: atPayment(['signed', 'PDNG', 'InProgress'], ['P1D', 'PDNG', 'InProgress'], ['P1D', 'ACSC', 'Completed']),
  },
  {
    amount: 7708,
    name: 'A bank-specific status',
    tells:
      'A minute after signing the bank returns `QUEU`, which no standard defines. An hour later it books the payment.',
    script: { signed: [executing, setStatus('PT1M', 'ACSP', { word: 'QUEU' }), bookedInAnHour] },
    seen: atPayment(['signed', 'ACSP', 'InProgress'], ['PT1M', 'QUEU', 'InProgress'], ['PT1H', 'ACSC', 'Completed']),
  },
  {
    amount: 7716,
    name: 'Late funds',
    tells: 'The bank reports insufficient funds, whatever the balance; an hour later there are funds.',
    script: { signed: [setStatus('PT0S', 'ACSP', { funds: false }), bookedInAnHour] },
    seen: atPayment(
      ['signed', 'ACSP', 'CustomerActionRequired', { reason: 'InsufficientFunds' }],
      ['PT1H', 'ACSC', 'Completed'],
    ),
  },
  {
    amount: 7717,
    name: 'Insufficient funds',
    tells: 'The bank reports insufficient funds, whatever the balance, and rejects the payment on the next bank day.',
    script: {
      signed: [
        setStatus('PT0S', 'ACSP', { funds: false }),
        setStatus(NEXT_BANK_DAY, 'RJCT', { funds: false, text: paymentRejections['insufficient-funds'].text }),
      ],
    },
    seen: atPayment(
      ['signed', 'ACSP', 'CustomerActionRequired', { reason: 'InsufficientFunds' }],
      [NEXT_BANK_DAY, 'RJCT', 'Rejected', { reason: 'InsufficientFunds' }],
    ),
  },
]
