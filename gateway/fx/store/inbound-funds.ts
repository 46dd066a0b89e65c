/** Defines inbound funds (a receipt): money that arrived at a provider, and that funds a deal or is returned. */
import { derivedId } from '../../platform/ids.ts'
import type { Money } from '../../platform/money.ts'
import type { Deal } from './deal.ts'

export type InboundFundsState = 'arrived' | 'held' | 'used' | 'returning' | 'returned'

/** The allowed transitions. Funds that the provider cannot return are held again, for an operator. */
export const inboundFundsTransitions: Readonly<Record<InboundFundsState, readonly InboundFundsState[]>> = {
  arrived: ['held', 'used'],
  held: ['held', 'used', 'returning'],
  used: [],
  returning: ['returned', 'held'],
  returned: [],
}

/** Why funds are held for their sender. */
export type HoldReason =
  /** They name no quote of ours, or one from before a restore, whose deal may be lost. */
  | 'unknown'
  /** The booking outcome of their deal is unknown. */
  | 'early'
  /** Their quote had expired, or their deal was cancelled. */
  | 'late'
  /** Their deal is funded already. */
  | 'twice'
  /** Less than was agreed. */
  | 'short'
  /** More than was agreed. */
  | 'over'
  | 'other-currency'
  /** The provider could not return them. */
  | 'not-returnable'

/** Money that arrived at a provider. */
export type InboundFunds = {
  readonly partnerId: string
  readonly id: string
  readonly provider: string
  readonly providerReceiptId: string
  readonly amount: Money
  /** The remittance text of the sender. */
  readonly reference: string | null
  readonly receivedAt: Temporal.Instant
  readonly quoteId: string | null
  readonly dealId: string | null
  readonly state: InboundFundsState
  readonly reason: HoldReason | null
  readonly createdAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  /** Idempotency key of the return; another one for each attempt that an operator starts. */
  readonly returnId: string | null
  /** The provider's id of the payout that returns it. */
  readonly payoutId: string | null
  readonly failingSince: Temporal.Instant | null
  readonly attempts: number
  /** When the sweep processes it next, as read. */
  readonly dueAt: Temporal.Instant | null
}

/** The partner id of receipts that name no quote. */
export const NO_PARTNER_ID = '00000000-0000-0000-0000-000000000000'

/**
 * The key of the next return. It is derived, so that a database that was restored to before the return starts the same one:
 * the provider then finds the payout that it has made.
 */
export function nextReturnId({
  provider,
  providerReceiptId,
  returnId,
}: Pick<InboundFunds, 'provider' | 'providerReceiptId' | 'returnId'>): string {
  return derivedId(NO_PARTNER_ID, ['return', provider, providerReceiptId, returnId ?? ''])
}

/** Use: the receipts that together fund the deal. Hold: why the receipt is held. */
export type FundsAllocation<Arrived> = { readonly use: readonly Arrived[] } | { readonly hold: HoldReason }

/**
 * Allocates a receipt to its deal. An exact amount funds it at once; parts do when they sum up to it within
 * the bank day for which they are held. Any other amount is held, and never added to the payout.
 */
export function allocateFunds<Arrived extends Pick<InboundFunds, 'amount'>>(
  { state, cost }: Pick<Deal, 'state' | 'cost'>,
  receipt: Arrived,
  heldBefore: readonly Arrived[],
): FundsAllocation<Arrived> {
  if (state === 'booking') {
    return { hold: 'early' }
  }
  if (state !== 'booked' && state !== 'confirmed') {
    return { hold: CANCELLED_STATES.has(state) ? 'late' : 'twice' }
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

const CANCELLED_STATES: ReadonlySet<Deal['state']> = new Set(['failed', 'cancelling', 'cancelled'])
