/** Defines funds that arrived on our accounts at a provider, and their return. */
import type { Money } from '../../platform/money.ts'
import type { FxProviderError } from './fx-provider-error.ts'

/** Funds that arrived. */
export type ProviderInboundFunds = {
  readonly id: string
  readonly amount: Money
  /** The payer's remittance text, which should contain the reference code; null if there is none. */
  readonly reference: string | null
  readonly senderName: string | null
  readonly receivedAt: Temporal.Instant
}

/** Funds whose record at the provider cannot be parsed; reading it again soon does not help. */
export type UnreadableInboundFunds = { readonly id: string; readonly error: FxProviderError }

/** The payout that returns funds to their sender. */
export type FundsReturn = { readonly payoutId: string }
