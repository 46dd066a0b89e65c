/** What a receipt is: money that arrived at a provider, which funds the deal it names, or is sent back. */
import type { Money } from '../../platform/money.ts'
import type { Deal } from '../deals/deal.ts'

export type ReceiptState = 'arrived' | 'held' | 'used' | 'returning' | 'returned'

/** Which states may follow which. What the provider cannot send back is held again, for people. */
export const receiptMayBecome: Readonly<Record<ReceiptState, readonly ReceiptState[]>> = {
  arrived: ['held', 'used'],
  held: ['held', 'used', 'returning'],
  used: [],
  returning: ['returned', 'held'],
  returned: [],
}

/** Why money is held for whoever sent it. */
export type HoldReason =
  /** It names no quote of ours. */
  | 'unknown'
  /** Whether its deal is booked is not known yet. */
  | 'early'
  /** Its quote had expired, or its deal was broken. */
  | 'late'
  /** Its deal is funded already. */
  | 'twice'
  /** Less than was agreed. */
  | 'short'
  /** More than was agreed. */
  | 'over'
  | 'other-currency'
  /** The provider could not send it back. */
  | 'not-returnable'

/** Money that arrived, as it is kept. */
export type Receipt = {
  readonly partnerId: string
  readonly id: string
  readonly provider: string
  readonly providerReceiptId: string
  readonly amount: Money
  /** What the payer wrote. */
  readonly reference: string | null
  readonly receivedAt: Temporal.Instant
  readonly quoteId: string | null
  readonly dealId: string | null
  readonly state: ReceiptState
  readonly reason: HoldReason | null
  readonly createdAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  /** Under which id of ours the provider was asked to send it back; another one each time that people try again. */
  readonly returnId: string | null
  /** The payout that sends it back. */
  readonly payoutId: string | null
  readonly failingSince: Temporal.Instant | null
  readonly attempts: number
  /** When it is seen to next, as it was read. */
  readonly dueAt: Temporal.Instant | null
}

/** Whose money is that names no quote of ours. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** What is to be done with money: it funds its deal, alone or with what was held before, or is held. */
export type Verdict<Arrived> = { readonly use: readonly Arrived[] } | { readonly hold: HoldReason }

/**
 * Judges what arrived for a deal. What fits exactly funds it at once; parts do when they come to the agreed amount within
 * the bank day that they are held. Nothing of it is ever paid out beside what was agreed.
 */
export function judge<Arrived extends Pick<Receipt, 'amount'>>(
  { state, cost }: Pick<Deal, 'state' | 'cost'>,
  receipt: Arrived,
  heldBefore: readonly Arrived[],
): Verdict<Arrived> {
  if (state === 'booking') {
    return { hold: 'early' }
  }
  if (state !== 'booked' && state !== 'standing') {
    return { hold: GONE.has(state) ? 'late' : 'twice' }
  }
  const { currency, minor } = receipt.amount
  if (currency !== cost.currency) {
    return { hold: 'other-currency' }
  }
  const parts = heldBefore.filter(({ amount }) => amount.currency === currency && amount.minor < cost.minor)
  const together = parts.reduce((sum, { amount }) => sum + amount.minor, minor)
  if (minor === cost.minor) {
    return { use: [receipt] }
  }
  return together === cost.minor ? { use: [...parts, receipt] } : { hold: minor < cost.minor ? 'short' : 'over' }
}

const GONE: ReadonlySet<Deal['state']> = new Set(['failed', 'breaking', 'broken'])
