/** Defines a deal: an exchange booked at a provider, from the quote to the payout or the cancellation. */
import type { exchangeEventTypes } from '../../../contract/webhooks/event-types.ts'
import type { Money } from '../../platform/money.ts'
import type { Beneficiary } from '../providers/beneficiary.ts'
import type { BookableQuote } from '../providers/conversion.ts'
import type { PayoutOrder } from '../providers/payout.ts'

export const DEAL_STATES = [
  'booking',
  'failed',
  'booked',
  'confirmed',
  'funded',
  'paying',
  'paid',
  'returned',
  'refunded',
  'cancelling',
  'cancelled',
] as const

export type DealState = (typeof DEAL_STATES)[number]

/**
 * The allowed transitions. `booking`: the provider was called, the outcome is unknown. `confirmed`: confirmed, because
 * the funding was signed. `returned`: the bought money came back and is owed to the payer. A completed payout may still
 * be returned. Funds that arrive in full prove a signature that was never reported to us.
 */
export const dealTransitions: Readonly<Record<DealState, readonly DealState[]>> = {
  booking: ['booked', 'failed'],
  // A request that took longer than the limit was accepted by the provider after all; it is cancelled at once.
  failed: ['booked'],
  booked: ['confirmed', 'funded', 'cancelling'],
  confirmed: ['funded', 'cancelling'],
  funded: ['paying', 'returned'],
  paying: ['paid', 'returned'],
  paid: ['returned'],
  returned: ['refunded'],
  refunded: [],
  cancelling: ['cancelled'],
  cancelled: [],
}

/** The step by which partners know each state after the booking. */
export const exchangeStepByState = {
  confirmed: 'Signed',
  funded: 'Funded',
  paying: 'PayoutOrdered',
  paid: 'PaidOut',
  returned: 'PayoutReturned',
  refunded: 'Refunded',
  cancelling: 'Undoing',
  cancelled: 'Undone',
} as const satisfies Partial<Record<DealState, keyof typeof exchangeEventTypes>>

/**
 * States in which nothing is owed, so that every ledger account of the deal is at zero. They are final, except that a
 * completed payout may still be returned for some weeks.
 */
export const CLOSED_STATES = ['failed', 'cancelled', 'paid', 'refunded'] as const satisfies readonly DealState[]

/** Why a deal is cancelled. */
export type DealCancellationReason =
  /** Not signed before the deadline. */
  | 'unsigned'
  /** Its payment was abandoned, e.g. because the bank rejected the order. */
  | 'given-up'
  /** The user or the bank cancelled the order before it was signed. */
  | 'cancelled'
  /** The bank rejected or cancelled the order after it was signed. */
  | 'funding-rejected'
  /** Less than the agreed amount arrived, and no more within one bank day. */
  | 'funding-short'
  | 'operator'

/** From which states each reason cancels a deal: a signed one only if its funds cannot arrive, or by an operator. */
export const cancellableFrom: Readonly<Record<DealCancellationReason, readonly DealState[]>> = {
  unsigned: ['booking', 'booked'],
  'given-up': ['booking', 'booked'],
  cancelled: ['booking', 'booked'],
  'funding-rejected': ['booking', 'booked', 'confirmed'],
  'funding-short': ['confirmed'],
  operator: ['booking', 'booked', 'confirmed'],
}

/** An exchange that was booked, or is being booked, at a provider. */
export type Deal = {
  readonly partnerId: string
  /** Also the idempotency key of our requests to the provider. */
  readonly id: string
  readonly provider: string
  readonly quoteId: string
  /** Null when it was booked by inbound funds. */
  readonly paymentId: string | null
  readonly referenceCode: string
  /** The country of the debtor's bank; always one that we serve. */
  readonly fundingCountry: string
  /** The execution day of the funding order. */
  readonly fundingDate: Temporal.PlainDate
  /** What is bought and sold at the provider; `sell` is in the currency of `cost`. */
  readonly quote: BookableQuote
  /** What the payer pays. */
  readonly cost: Money
  /** Until when the funding must be signed. */
  readonly deadline: Temporal.Instant
  readonly state: DealState
  /** Why it was cancelled, failed or was returned: a `DealCancellationReason`, or text of the provider. */
  readonly reason: string | null
  /** Incremented by each change of state. */
  readonly version: number
  readonly createdAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  readonly signedAt: Temporal.Instant | null
  readonly conversionId: string | null
  readonly beneficiaryId: string | null
  readonly payoutId: string | null
  /** The returned amount of a payout. */
  readonly returned: Money | null
  /** Why it is to be cancelled once its booking outcome is known. */
  readonly cancelReason: DealCancellationReason | null
  /** Since when calls for the current state fail, and how many were made. */
  readonly failingSince: Temporal.Instant | null
  readonly attempts: number
  /** Until when a submitted payout may still be executed, even if a later request was rejected. */
  readonly outcomeUnknownUntil: Temporal.Instant | null
  /** When the sweep processes it next, and when it is cancelled at the provider, as read. */
  readonly dueAt: Temporal.Instant | null
  readonly unwindAt: Temporal.Instant | null
}

/** The payout order and its beneficiary; encrypted at rest, because a tax code may be a national identity number. */
export type PayoutTerms = Omit<PayoutOrder, 'requestId' | 'beneficiaryId' | 'amount' | 'conversionId'> & {
  readonly beneficiary: Beneficiary
}

export type DealKey = Pick<Deal, 'partnerId' | 'id'>

/** Whether the transition is allowed. */
export function mayTransition(state: DealState, next: DealState): boolean {
  return dealTransitions[state].includes(next)
}

/** The encryption purpose of its payout terms. */
export function dealPurpose({ partnerId, id }: DealKey): string {
  return `fx deal terms ${partnerId} ${id}`
}

/** One event of a deal. `detail` holds amounts and text of the provider, never data of the beneficiary. */
export type DealEvent = {
  readonly at: Temporal.Instant
  readonly event: string
  readonly detail: Readonly<Record<string, unknown>>
}
