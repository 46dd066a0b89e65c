/** Scripted outcomes that await users: further signatures, a text message, actions in the netbank. */

import { SMS_CODE } from './execution-outcomes.ts'
import { NEXT_BANK_DAY, ON_REQUEST, type Outcome, type ScriptStep } from './scripted-outcome.ts'

const bookedInAnHour: ScriptStep = { after: 'PT1H', action: { type: 'book' } }
const executing: ScriptStep = { after: 'PT0S', action: { type: 'status', status: 'ACSP' } }
const held: ScriptStep = {
  after: 'PT0S',
  action: { type: 'status', status: 'PDNG', code: SMS_CODE, text: 'Answer the text message that the bank has sent' },
}

export const customerActionOutcomes: readonly Outcome[] = [
  {
    amount: 7711,
    name: 'A second signer',
    tells: 'Two different users must sign, whatever the account requires.',
    script: { signers: 2, signed: [executing, bookedInAnHour] },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'PATC', status: 'CustomerActionRequired', reason: 'PartlySigned' },
        { when: 'signed by another user', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7712,
    name: 'A second signer who declines',
    tells: 'Two users must sign; a minute after the first the second one declines, and one user must sign again.',
    script: {
      signers: 2,
      partlySigned: [{ after: 'PT1M', action: { type: 'unsign', text: 'The second signer sent the payment back' } }],
      signed: [executing, bookedInAnHour],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'PATC', status: 'CustomerActionRequired', reason: 'PartlySigned' },
        { when: 'PT1M', bank: 'RCVD', status: 'Unsigned' },
        { when: 'signed again', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7713,
    name: 'SMS confirmation',
    tells: 'The bank holds the signed payment until the user confirms by SMS: `POST /control/payments/{id}/release`.',
    script: {
      signed: [held, { after: ON_REQUEST, action: { type: 'status', status: 'ACSP' } }, bookedInAnHour],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'PDNG', status: 'CustomerActionRequired', reason: 'SmsConfirmationRequired' },
        { when: 'confirmed by SMS', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7714,
    name: 'SMS confirmation within a minute',
    tells: 'The same, but the user confirms within a minute.',
    script: {
      signed: [held, { after: 'PT1M', action: { type: 'status', status: 'ACSP' } }, bookedInAnHour],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'PDNG', status: 'CustomerActionRequired', reason: 'SmsConfirmationRequired' },
        { when: 'PT1M', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7715,
    name: 'No SMS confirmation',
    tells: 'The same, but the user does not confirm, and the bank rejects the payment on the next bank day.',
    script: {
      signed: [
        held,
        { after: NEXT_BANK_DAY, action: { type: 'status', status: 'RJCT', text: 'The text message was not answered' } },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'signed', bank: 'PDNG', status: 'CustomerActionRequired', reason: 'SmsConfirmationRequired' },
        { when: NEXT_BANK_DAY, bank: 'RJCT', status: 'Rejected' },
      ],
    },
  },
  {
    amount: 7721,
    name: 'Cancelled before it is signed',
    tells: 'A minute after the order a user cancels it in the online bank.',
    script: {
      unsigned: [{ after: 'PT1M', action: { type: 'status', status: 'CANC', text: 'Cancelled in the netbank' } }],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'ordered', bank: 'RCVD', status: 'Unsigned' },
        { when: 'PT1M', bank: 'CANC', status: 'Cancelled' },
      ],
    },
  },
  {
    amount: 7722,
    name: 'Rejected before it is signed',
    tells: 'A minute after the order the bank rejects it.',
    script: {
      unsigned: [
        { after: 'PT1M', action: { type: 'status', status: 'RJCT', text: 'The company has no agreement on payments' } },
      ],
    },
    seen: {
      at: 'payment',
      moments: [
        { when: 'ordered', bank: 'RCVD', status: 'Unsigned' },
        { when: 'PT1M', bank: 'RJCT', status: 'Rejected' },
      ],
    },
  },
  {
    amount: 7723,
    name: 'Signed in the online bank',
    tells: 'A minute after the order a user signs it in the online bank, without the gateway.',
    script: { unsigned: [{ after: 'PT1M', action: { type: 'sign' } }], signed: [executing, bookedInAnHour] },
    seen: {
      at: 'payment',
      moments: [
        { when: 'ordered', bank: 'RCVD', status: 'Unsigned' },
        { when: 'PT1M', bank: 'ACSP', status: 'InProgress' },
        { when: 'PT1H', bank: 'ACSC', status: 'Completed' },
      ],
    },
  },
  {
    amount: 7724,
    name: 'Deleted before it is signed',
    tells: 'A minute after the order the bank has deleted it; the next approval resubmits it.',
    script: { unsigned: [{ after: 'PT1M', action: { type: 'forget' } }] },
    seen: {
      at: 'payment',
      moments: [
        { when: 'ordered', bank: 'RCVD', status: 'Unsigned' },
        { when: 'PT1M', bank: null, status: 'Unsigned' },
      ],
    },
  },
]
