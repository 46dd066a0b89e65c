/** What a scripted outcome is: the amount that asks for it, what the bank then does, and what a partner sees of it. */
import type { FaultEffect } from '../faults.ts'
import type { TransactionStatus } from '../payments/payment.ts'

/** One row of the table. */
export type Outcome = {
  /** The whole amount that asks for it, in the currency's main unit. */
  readonly amount: number
  readonly name: string
  /** What happens, for people. */
  readonly tells: string
  readonly script: Script
  readonly seen: Seen
}

/** What the bank does. What a script does not say goes its usual way. */
export type Script = {
  /** The order is refused with this, and not kept. */
  readonly refusal?: ScriptedRefusal
  /** Calls whose answer is late, lost or an error. */
  readonly troubles?: readonly Trouble[]
  /** How many people must sign at least, whatever the account says. */
  readonly signers?: number
  /** What happens while nobody has signed. */
  readonly unsigned?: readonly Step[]
  /** What happens when some have signed and others have not. */
  readonly partlySigned?: readonly Step[]
  /** What happens from the last signature on; the first step is taken at once. */
  readonly signed?: readonly Step[]
}

/** How an order is refused, in the standard's words. */
export type ScriptedRefusal = {
  readonly status: 400 | 401 | 403 | 404 | 409
  readonly code: string
  readonly text: string
  readonly path?: string
}

/** An operation that goes wrong, in the words of the control API's faults. */
export type Trouble = {
  readonly operation: 'initiatePayment' | 'startPaymentAuthorisation' | 'getPaymentStatus'
  readonly effect: FaultEffect
  readonly status?: number
  readonly milliseconds?: number
  /** Business time since the last signature at which it begins and is over; absent: always. */
  readonly between?: { readonly from: string; readonly until: string }
}

export type Step = {
  /** Business time since the step before, or since the script began: a duration, or the next day on which banks work. */
  readonly after: string | typeof NEXT_BANK_DAY | typeof SOMEBODY
  readonly deed: Deed
}

export const NEXT_BANK_DAY = 'next bank day'
/** The step is taken when somebody asks for it by the control API. */
export const SOMEBODY = 'somebody'

/** What the bank does with the payment. */
export type Deed =
  | ShownStatus
  /** Books it as it books any payment. */
  | { readonly type: 'book' }
  /** Books the money back and rejects it. */
  | { readonly type: 'return'; readonly text: string }
  /** Has it signed in the bank's own netbank by everybody who has to. */
  | { readonly type: 'sign' }
  /** Takes the signatures that it has for not given. */
  | { readonly type: 'unsign'; readonly text: string }
  /** Knows nothing of it any more. */
  | { readonly type: 'forget' }

/** Sets a status, and what is told with it. */
export type ShownStatus = {
  readonly type: 'status'
  readonly status: TransactionStatus
  /** Text for the user. */
  readonly text?: string
  readonly funds?: boolean
  /** Code of a message beside the status. */
  readonly code?: string
  /** A word of the bank's own, told in place of the standard's. */
  readonly word?: string
}

/** What a partner of the gateway sees: the order or its approval is refused, or the payment takes its course. */
export type Seen =
  | { readonly at: 'order' | 'approval'; readonly status: number; readonly code: string; readonly path?: string }
  | { readonly at: 'payment'; readonly moments: readonly Moment[] }

/** What the bank says of a payment at some moment, and what a partner sees. Banks with other first words say others. */
export type Moment = {
  readonly when: When
  /** The bank's word at Fjordbanken; null when it holds the payment no more or does not answer. */
  readonly bank: string | null
  readonly status: 'Unsigned' | 'InProgress' | 'Completed' | 'Rejected' | 'Cancelled' | 'CustomerActionRequired'
  readonly reason?: 'PartlySigned' | 'SmsConfirmationRequired' | 'InsufficientFunds'
  /** The order's fate is not known to the gateway. */
  readonly unknown?: boolean
}

/** Something that is done by then, or business time that passes. */
export type When =
  | 'ordered'
  | 'signed'
  | 'signed by another user'
  | 'signed again'
  | 'confirmed by SMS'
  | typeof NEXT_BANK_DAY
  | `P${string}`
