/** Scripted outcomes that await users: further signatures, a text message, actions in the netbank. */

import { SMS_CODE } from './execution-outcomes.ts'
import {
  atPayment,
  bookedInAnHour,
  executing,
  NEXT_BANK_DAY,
  ON_REQUEST,
  type Outcome,
  setStatus,
} from './scripted-outcome.ts'

const held = setStatus('PT0S', 'PDNG', { code: SMS_CODE, text: 'Answer the text message that the bank has sent' })

export const customerActionOutcomes: readonly Outcome[] = [
  {
    amount: 7711,
    name: 'A second signer',
    tells: 'Two different users must sign, whatever the account requires.',
    script: { signers: 2, signed: [executing, bookedInAnHour] },
    seen: atPayment(
      ['signed', 'PATC', 'CustomerActionRequired', { reason: 'PartlySigned' }],
      ['signed by another user', 'ACSP', 'InProgress'],
      ['PT1H', 'ACSC', 'Completed'],
    ),
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
    seen: atPayment(
      ['signed', 'PATC', 'CustomerActionRequired', { reason: 'PartlySigned' }],
      ['PT1M', 'RCVD', 'Unsigned'],
      ['signed again', 'ACSP', 'InProgress'],
      ['PT1H', 'ACSC', 'Completed'],
    ),
  },
  {
    amount: 7713,
    name: 'SMS confirmation',
    tells: 'The bank holds the signed payment until the user confirms by SMS: `POST /control/payments/{id}/release`.',
    script: { signed: [held, setStatus(ON_REQUEST, 'ACSP'), bookedInAnHour] },
    seen: atPayment(
      ['signed', 'PDNG', 'CustomerActionRequired', { reason: 'SmsConfirmationRequired' }],
      ['confirmed by SMS', 'ACSP', 'InProgress'],
      ['PT1H', 'ACSC', 'Completed'],
    ),
  },
  {
    amount: 7714,
    name: 'SMS confirmation within a minute',
    tells: 'The same, but the user confirms within a minute.',
    script: { signed: [held, setStatus('PT1M', 'ACSP'), bookedInAnHour] },
    seen: atPayment(
      ['signed', 'PDNG', 'CustomerActionRequired', { reason: 'SmsConfirmationRequired' }],
      ['PT1M', 'ACSP', 'InProgress'],
      ['PT1H', 'ACSC', 'Completed'],
    ),
  },
  {
    amount: 7715,
    name: 'No SMS confirmation',
    tells: 'The same, but the user does not confirm, and the bank rejects the payment on the next bank day.',
    script: { signed: [held, setStatus(NEXT_BANK_DAY, 'RJCT', { text: 'The text message was not answered' })] },
    seen: atPayment(
      ['signed', 'PDNG', 'CustomerActionRequired', { reason: 'SmsConfirmationRequired' }],
      [NEXT_BANK_DAY, 'RJCT', 'Rejected'],
    ),
  },
  {
    amount: 7721,
    name: 'Cancelled before it is signed',
    tells: 'A minute after the order a user cancels it in the online bank.',
    script: { unsigned: [setStatus('PT1M', 'CANC', { text: 'Cancelled in the netbank' })] },
    seen: atPayment(['ordered', 'RCVD', 'Unsigned'], ['PT1M', 'CANC', 'Cancelled']),
  },
  {
    amount: 7722,
    name: 'Rejected before it is signed',
    tells: 'A minute after the order the bank rejects it.',
    script: { unsigned: [setStatus('PT1M', 'RJCT', { text: 'The company has no agreement on payments' })] },
    seen: atPayment(['ordered', 'RCVD', 'Unsigned'], ['PT1M', 'RJCT', 'Rejected']),
  },
  {
    amount: 7723,
    name: 'Signed in the online bank',
    tells: 'A minute after the order a user signs it in the online bank, without the gateway.',
    script: { unsigned: [{ after: 'PT1M', action: { type: 'sign' } }], signed: [executing, bookedInAnHour] },
    seen: atPayment(['ordered', 'RCVD', 'Unsigned'], ['PT1M', 'ACSP', 'InProgress'], ['PT1H', 'ACSC', 'Completed']),
  },
  {
    amount: 7724,
    name: 'Deleted before it is signed',
    tells: 'A minute after the order the bank has deleted it; the next approval resubmits it.',
    script: { unsigned: [{ after: 'PT1M', action: { type: 'forget' } }] },
    seen: atPayment(['ordered', 'RCVD', 'Unsigned'], ['PT1M', null, 'Unsigned']),
  },
]
