/** Defines the port of FX providers, which every connector implements. Errors are thrown as `FxProviderError`. */

import type { Money } from '../../platform/money.ts'
import type { Beneficiary, IntermediaryAccount } from './beneficiary.ts'
import type {
  BookingWindow,
  Conversion,
  ConversionCancelled,
  ConversionRequest,
  ProviderQuote,
  ProviderRate,
  QuoteRequest,
  RateRequest,
} from './conversion.ts'
import type { FxProviderError } from './fx-provider-error.ts'
import type { PayoutOrder, ProviderPayout } from './payout.ts'

/**
 * A company that exchanges currencies and pays out. Calls that move money take a `requestId` as idempotency key; after
 * `outcome-unknown`, the corresponding `find…` call returns the outcome.
 */
export type FxProvider = {
  readonly name: string
  /** The current rate; not held. */
  rate(request: RateRequest): Promise<ProviderRate>
  /** Resolves if the provider would accept this beneficiary; throws `invalid` with the rejected fields otherwise. */
  validateBeneficiary(beneficiary: Beneficiary): Promise<void>
  quote(request: QuoteRequest): Promise<ProviderQuote>
  book(request: ConversionRequest): Promise<Conversion>
  /** Null when the provider has no conversion with this request id. */
  findConversion(requestId: string): Promise<Conversion | null>
  readConversion(id: string): Promise<Conversion>
  /** The conversions that were booked in a window, oldest first, in pages. */
  conversionsBooked(window: BookingWindow): AsyncIterable<readonly Conversion[]>
  /** Cancels a conversion that has not settled, idempotently. Throws `too-late` once it has settled. */
  cancelConversion(id: string): Promise<ConversionCancelled>
  /** Our account at the provider for funds in a currency from a country; null when there is no domestic one. */
  intermediaryAccount(request: {
    readonly currency: string
    readonly country: string
  }): Promise<IntermediaryAccount | null>
  /** Creates a beneficiary, or returns the one created with the same request id. */
  createBeneficiary(beneficiary: Beneficiary, requestId: string): Promise<{ readonly id: string }>
  orderPayout(order: PayoutOrder): Promise<ProviderPayout>
  /** Null when the provider has no payout with this request id. */
  findPayout(requestId: string): Promise<ProviderPayout | null>
  readPayout(id: string): Promise<ProviderPayout>
  /**
   * Funds that arrived at or after an instant, oldest first, in pages. Receipts of earlier calls are repeated: the
   * caller deduplicates them by id. One that cannot be parsed does not stop the others.
   */
  inboundFunds(since: Temporal.Instant): AsyncIterable<readonly (ProviderInboundFunds | UnreadableInboundFunds)[]>
  readInboundFunds(id: string): Promise<ProviderInboundFunds>
  /**
   * Returns funds, as they were recorded, to the account that they came from, idempotently by request id. Throws `invalid`
   * if the provider reports another amount.
   */
  returnInboundFunds(receipt: RecordedFunds, requestId: string): Promise<FundsReturn>
  /** Parses a notification after checking its signature; null when that is invalid or nothing of ours is concerned. */
  parseNotification(arrived: ReceivedNotification): ProviderNotification | null
}

/** A resource at the provider has changed; its state is to be read there. */
export type ProviderNotification = {
  readonly about: 'conversion' | 'payout' | 'receipt'
  /** The provider's id of the resource. */
  readonly id: string
  /** The request id with which we created it, if any. */
  readonly requestId: string | null
}

/** The received request: headers by lower-case name, the body byte for byte. */
export type ReceivedNotification = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawBody: Buffer
}

/** Funds that arrived. */
export type ProviderInboundFunds = {
  readonly id: string
  readonly amount: Money
  /** The payer's remittance text, which should contain the reference code; null if there is none. */
  readonly reference: string | null
  readonly receivedAt: Temporal.Instant
}

/** What was recorded of funds when they arrived; the ledger has this amount. */
export type RecordedFunds = Pick<ProviderInboundFunds, 'id' | 'amount'>

/** Funds whose record at the provider cannot be parsed; reading it again soon does not help. */
export type UnreadableInboundFunds = { readonly id: string; readonly error: FxProviderError }

/** The payout that returns funds to their sender. */
export type FundsReturn = { readonly payoutId: string }
