/** What a deal is: an exchange that was booked at a provider, on its way from a quote to a payout, or to nothing at all. */
import type { Money } from '../../platform/money.ts'
import type { Beneficiary } from '../providers/beneficiary.ts'
import type { BookableQuote } from '../providers/conversion.ts'
import type { PayoutOrder } from '../providers/payout.ts'

export const DEAL_STATES = [
  'booking',
  'failed',
  'booked',
  'standing',
  'funded',
  'paying',
  'paid',
  'returned',
  'refunded',
  'breaking',
  'broken',
] as const

export type DealState = (typeof DEAL_STATES)[number]

/**
 * Which states may follow which. `booking`: the provider was asked and nothing is known yet. `standing`: signed, so the
 * money is on its way. `returned`: what was bought came back, and is owed to the payer. A payout that was completed may
 * still come back. Money that arrives in full proves a signature of which we have not heard.
 */
export const dealMayBecome: Readonly<Record<DealState, readonly DealState[]>> = {
  booking: ['booked', 'failed'],
  // A request that was on its way for longer than anybody thought was taken after all; it is undone at once.
  failed: ['booked'],
  booked: ['standing', 'funded', 'breaking'],
  standing: ['funded', 'breaking'],
  funded: ['paying', 'returned'],
  paying: ['paid', 'returned'],
  paid: ['returned'],
  returned: ['refunded'],
  refunded: [],
  breaking: ['broken'],
  broken: [],
}

/** In which states nothing is owed by anybody, so that the ledger shows nothing of the deal. */
export const CLOSED_STATES = ['failed', 'broken', 'paid', 'refunded'] as const satisfies readonly DealState[]

/** Why a deal is broken. Only what its payer signed in time may be broken for money that does not come. */
export type BreakReason =
  /** Nobody signed before the deadline. */
  | 'unsigned'
  /** What asked for it was given up, e.g. because the bank refused the order. */
  | 'given-up'
  /** The user, or the bank, withdrew the order before it was signed. */
  | 'cancelled'
  /** The bank rejected or cancelled the order after it was signed. */
  | 'funding-refused'
  /** Less than the agreed amount arrived, and nothing more within a bank day. */
  | 'funding-short'
  /** An operator decided so. */
  | 'operator'

/** From which states each reason breaks a deal; a signed one stands unless its money cannot come. */
export const breaksFrom: Readonly<Record<BreakReason, readonly DealState[]>> = {
  unsigned: ['booking', 'booked'],
  'given-up': ['booking', 'booked'],
  cancelled: ['booking', 'booked'],
  'funding-refused': ['booking', 'booked', 'standing'],
  'funding-short': ['standing'],
  operator: ['booking', 'booked', 'standing'],
}

/** Why a deal is where it is: the reason for breaking it, or the provider's own words. */
export type Deal = {
  readonly partnerId: string
  /** Also the id under which the provider knows each of our requests for it. */
  readonly id: string
  readonly provider: string
  readonly quoteId: string
  /** Null when it was booked by money from outside. */
  readonly paymentId: string | null
  readonly referenceCode: string
  /** From which country it is paid for: one whose banks we serve. */
  readonly fundingCountry: string
  /** On which day the payer's bank is to carry out the funding order. */
  readonly fundingDate: Temporal.PlainDate
  /** What is bought and sold at the provider; `sell` is in the currency of `cost`. */
  readonly quote: BookableQuote
  /** What the payer pays. */
  readonly cost: Money
  /** Until when it must have been signed. */
  readonly deadline: Temporal.Instant
  readonly state: DealState
  /** Why it is broken or failed, or why the payout came back: a `BreakReason`, or words of the provider. */
  readonly reason: string | null
  /** Counts the changes of state. */
  readonly version: number
  readonly createdAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  readonly signedAt: Temporal.Instant | null
  readonly conversionId: string | null
  readonly beneficiaryId: string | null
  readonly payoutId: string | null
  /** What came back of a payout. */
  readonly returned: Money | null
  /** Why it is to be broken as soon as it is known to be booked. */
  readonly unwanted: BreakReason | null
  /** Since when the provider does not do what is asked for this state, and how often it was asked. */
  readonly failingSince: Temporal.Instant | null
  readonly attempts: number
  /** Until when a payout that was asked for may still be made, whatever is said of a later request. */
  readonly doubtUntil: Temporal.Instant | null
  /** When it is seen to next, and when it is undone, as it was read. */
  readonly dueAt: Temporal.Instant | null
  readonly breakAt: Temporal.Instant | null
}

/** What is paid out, and to whom; sealed at rest, because a tax code may be a person's number. */
export type PayoutTerms = Omit<PayoutOrder, 'requestId' | 'beneficiaryId' | 'amount' | 'conversionId'> & {
  readonly beneficiary: Beneficiary
}

/** What identifies a deal. */
export type DealKey = Pick<Deal, 'partnerId' | 'id'>

/** Whether a deal may move on to a state. */
export function mayFollow(state: DealState, next: DealState): boolean {
  return dealMayBecome[state].includes(next)
}

/** Whether nothing is to be expected of it any more but, for some weeks, a payout that comes back. */
export function isClosed({ state }: Pick<Deal, 'state'>): boolean {
  return (CLOSED_STATES as readonly DealState[]).includes(state)
}

/** What its terms are sealed for. */
export function dealPurpose({ partnerId, id }: DealKey): string {
  return `fx deal terms ${partnerId} ${id}`
}
