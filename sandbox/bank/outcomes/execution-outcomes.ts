/** Scripted outcomes of authorised payments: their final status, and what delays it. */

import type { TransactionStatus } from '../xs2a/transaction-status.ts'
import { NEXT_BANK_DAY, type Outcome, type ScriptStep } from './scripted-outcome.ts'

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

const executing: ScriptStep = { after: 'PT0S', action: { type: 'status', status: 'ACSP' } }
const bookedInAnHour: ScriptStep = { after: 'PT1H', action: { type: 'book' } }

export const executionOutcomes: readonly Outcome[] = [
  {
    amount: 7701,
    name: 'Completed at once',
    tells: 'The bank books the payment as soon as it is signed.',
    script: { signed: [{ after: 'PT0S', action: { type: 'book' } }] },
    seen: { at: 'payment', moments: [{ when: 'signed', bank: 'ACSC', status: 'Completed' }] },
  },
  {
    amount: 7702,
    name: 'Rejected at once',
    tells: 'The bank rejects the payment as soon as it is signed.',
    script: {
      signed: [
        {
          after: 'PT0S',
          action: { type: 'status', status: 'RJCT', text: paymentRejections['daily-limit'].text },
        },
      ],
    },
    seen: { at: 'payment', moments: [{ when: 'signed', bank: 'RJCT', status: 'Rejected' }] },
  },
  {
    amount: 7703,
    name: 'Rejected later',
    tells: 'The bank starts to execute the payment and rejects it a minute later.',
    script: {
      signed: [
        executing,
        { after: 'PT1M', action: { type: 'status', status: 'RJCT', text: paymentRejections['account-closed'].text } },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1M', bank: 'RJCT', status: 'Rejected' },
      ],
    },
  },
  {
    amount: 7704,
    name: 'Cancelled by the bank',
    tells: 'The bank accepts the payment, and cancels it a minute later.',
    script: {
      signed: [
        { after: 'PT0S', action: { type: 'status', status: 'ACTC' } },
        {
          after: 'PT1M',
          action: { type: 'status', status: 'CANC', text: paymentRejections['cancelled-by-bank'].text },
        },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACTC', status: 'InProgress' },
        { when: 'PT1M', bank: 'CANC', status: 'Cancelled' },
      ],
    },
  },
  {
    amount: 7705,
    name: 'Rejected after it was completed',
    tells: 'The bank books the payment at once; it is returned on the next bank day.',
    script: {
      signed: [
        { after: 'PT0S', action: { type: 'book' } },
        { after: NEXT_BANK_DAY, action: { type: 'return', text: paymentRejections.returned.text } },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACSC', status: 'Completed' },
        { when: NEXT_BANK_DAY, bank: 'RJCT', status: 'Rejected' },
      ],
    },
  },
  {
    amount: 7706,
    name: 'Stuck',
    tells: 'The bank starts to execute the payment, and its status never changes again.',
    script: { signed: [executing] },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACSP', status: 'InProgress' },
        { when: 'P5D', bank: 'ACSP', status: 'InProgress' },
      ],
    },
  },
  {
    amount: 7707,
    name: 'Held for checks',
    tells: 'The bank holds the signed payment for two days to check it, and then books it.',
    script: {
      signed: [
        { after: 'PT0S', action: { type: 'status', status: 'PDNG', text: 'The payment is being checked' } },
        { after: 'PT48H', action: { type: 'book' } },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'PDNG', status: 'InProgress' },
        { when: 'P1D', bank: 'PDNG', status: 'InProgress' },
        { when: 'P1D', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7708,
    name: 'A bank-specific status',
    tells:
      'A minute after signing the bank returns `QUEU`, which no standard defines. An hour later it books the payment.',
    script: {
      signed: [executing, { after: 'PT1M', action: { type: 'status', status: 'ACSP', word: 'QUEU' } }, bookedInAnHour],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1M', bank: 'QUEU', status: 'InProgress' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7716,
    name: 'Late funds',
    tells: 'The bank reports insufficient funds, whatever the balance; an hour later there are funds.',
    script: {
      signed: [{ after: 'PT0S', action: { type: 'status', status: 'ACSP', funds: false } }, bookedInAnHour],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACSP', status: 'CustomerActionRequired', reason: 'InsufficientFunds' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7717,
    name: 'Insufficient funds',
    tells: 'The bank reports insufficient funds, whatever the balance, and rejects the payment on the next bank day.',
    script: {
      signed: [
        { after: 'PT0S', action: { type: 'status', status: 'ACSP', funds: false } },
        {
          after: NEXT_BANK_DAY,
          action: { type: 'status', status: 'RJCT', funds: false, text: paymentRejections['insufficient-funds'].text },
        },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'ACSP', status: 'CustomerActionRequired', reason: 'InsufficientFunds' },
        { when: NEXT_BANK_DAY, bank: 'RJCT', status: 'Rejected', reason: 'InsufficientFunds' },
      ],
    },
  },
]
