/** A scripted outcome: the amount that selects it, the bank's behaviour, and what a partner sees. */

import type { FaultEffect } from '../faults.ts'
import type { TransactionStatus } from '../xs2a/transaction-status.ts'

export type Outcome = {
  /** The whole amount that selects it, in the currency's main unit. */
  readonly amount: number
  readonly name: string
  /** Description in the guide. */
  readonly tells: string
  readonly script: Script
  readonly seen: PartnerView
}

/** The bank's behaviour. Anything that a script omits follows the usual rules. */
export type Script = {
  /** The order is rejected with this error, and not stored. */
  readonly rejection?: ScriptedRejection
  /** Calls with a late, lost or error response. */
  readonly callFaults?: readonly ScriptedCallFault[]
  /** Minimum number of signatures, whatever the account requires. */
  readonly signers?: number
  /** Steps while it is unsigned. */
  readonly unsigned?: readonly ScriptStep[]
  /** Steps while it is partly signed. */
  readonly partlySigned?: readonly ScriptStep[]
  /** Steps from the last signature on; the first is executed at once. */
  readonly signed?: readonly ScriptStep[]
}

/** The rejection of an order, with the standard's codes. */
export type ScriptedRejection = {
  readonly status: 400 | 401 | 403 | 404 | 409
  readonly code: string
  readonly text: string
  readonly path?: string
}

/** A fault of an operation, with the names of the control API's faults. */
export type ScriptedCallFault = {
  readonly operation:
    | 'initiatePayment'
    | 'startPaymentAuthorisation'
    | 'getPaymentStatus'
    | 'cancelPayment'
    | 'startPaymentCancellationAuthorisation'
  readonly effect: FaultEffect
  readonly status?: number
  readonly code?: string
  readonly milliseconds?: number
  /** Business time since the last signature at which it begins and ends; absent: always. */
  readonly between?: { readonly from: string; readonly until: string }
}

export type ScriptStep = {
  /** Business time since the previous step, or since the script began: a duration, or the next bank day. */
  readonly after: string | typeof NEXT_BANK_DAY | typeof ON_REQUEST
  readonly action: ScriptAction
}

export const NEXT_BANK_DAY = 'next bank day'
/** The step is executed on a control call. */
export const ON_REQUEST = 'somebody'

export type ScriptAction =
  | ShownStatus
  /** Books it as any payment. */
  | { readonly type: 'book' }
  /** Reverses the booking and rejects the payment. */
  | { readonly type: 'return'; readonly text: string }
  /** Every required user signs it in the bank's netbank. */
  | { readonly type: 'sign' }
  /** Revokes the signatures given so far. */
  | { readonly type: 'unsign'; readonly text: string }
  /** Deletes it, as if it had never been ordered. */
  | { readonly type: 'forget' }

/** Sets a status and its details. */
export type ShownStatus = {
  readonly type: 'status'
  readonly status: TransactionStatus
  /** Text for the user. */
  readonly text?: string
  readonly funds?: boolean
  /** Code of a message about the status. */
  readonly code?: string
  /** A bank-specific status in place of the standard's. */
  readonly word?: string
}

/** A gateway partner's view: the order, its approval or its cancellation is rejected, or the payment advances. */
export type PartnerView =
  | {
      readonly at: 'order' | 'approval' | 'cancellation'
      readonly status: number
      readonly code: string
      readonly path?: string
    }
  | { readonly at: 'payment'; readonly moments: readonly PartnerViewMoment[] }

/** The bank's status at a moment, and the partner's view. Other banks may have other first statuses. */
export type PartnerViewMoment = {
  readonly when: MomentTime
  /** The status at Fjordbanken; null when it no longer knows the payment or does not respond. */
  readonly bank: string | null
  readonly status: 'Unsigned' | 'InProgress' | 'Completed' | 'Rejected' | 'Cancelled' | 'CustomerActionRequired'
  readonly reason?: 'PartlySigned' | 'SmsConfirmationRequired' | 'InsufficientFunds'
  /** The gateway does not know the outcome of the order. */
  readonly unknown?: boolean
}

/** An event, or an amount of business time. */
export type MomentTime =
  | 'ordered'
  | 'signed'
  | 'signed by another user'
  | 'signed again'
  | 'confirmed by SMS'
  | typeof NEXT_BANK_DAY
  | `P${string}`

/** The step that sets a status, so long after the previous one. */
export function setStatus(
  after: ScriptStep['after'],
  status: TransactionStatus,
  details: Omit<ShownStatus, 'type' | 'status'> = {},
): ScriptStep {
  return { after, action: { type: 'status', status, ...details } }
}

export function book(after: ScriptStep['after']): ScriptStep {
  return { after, action: { type: 'book' } }
}

export const executing = setStatus('PT0S', 'ACSP')
export const bookedInAnHour = book('PT1H')

type Moment = readonly [
  when: MomentTime,
  bank: PartnerViewMoment['bank'],
  status: PartnerViewMoment['status'],
  details?: Pick<PartnerViewMoment, 'reason' | 'unknown'>,
]

/** What a partner sees of a payment that the bank accepts, moment by moment. */
export function atPayment(...moments: readonly Moment[]): PartnerView {
  return {
    at: 'payment',
    moments: moments.map(([when, bank, status, details]) => ({ when, bank, status, ...details })),
  }
}
