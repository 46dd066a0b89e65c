/** Defines the port of FX providers, which every connector implements. Errors are thrown as `FxProviderError`. */
import type { Beneficiary, BeneficiaryRequirements, IntermediaryAccount } from './beneficiary.ts'
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
import type { PayoutOrder, ProviderPayout } from './payout.ts'
import type { FundsReturn, ProviderInboundFunds, UnreadableInboundFunds } from './provider-inbound-funds.ts'
import type { ProviderNotification, ReceivedNotification } from './provider-notification.ts'

/**
 * A company that exchanges currencies and pays out. Calls that move money take a `requestId` as idempotency key; after
 * `outcome-unknown`, the corresponding `find…` call returns the outcome.
 */
export type FxProvider = {
  readonly name: string
  /** The current rate; not held. */
  rate(request: RateRequest): Promise<ProviderRate>
  /** The required fields of beneficiaries in a country and currency. */
  requirements(request: {
    readonly country: string
    readonly currency: string
  }): Promise<readonly BeneficiaryRequirements[]>
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
  /** Deletes a payout that has not been sent, idempotently. Throws `too-late` once it has. */
  deletePayout(id: string): Promise<void>
  /**
   * Funds that arrived at or after an instant, oldest first, in pages. Receipts of earlier calls are repeated: the
   * caller deduplicates them by id. One that cannot be parsed does not stop the others.
   */
  inboundFunds(since: Temporal.Instant): AsyncIterable<readonly (ProviderInboundFunds | UnreadableInboundFunds)[]>
  readInboundFunds(id: string): Promise<ProviderInboundFunds>
  /** Returns funds to the account that they came from, idempotently by request id. */
  returnInboundFunds(receiptId: string, requestId: string): Promise<FundsReturn>
  /** Parses a notification after checking its signature; null when that is invalid or nothing of ours is concerned. */
  parseNotification(arrived: ReceivedNotification): ProviderNotification | null
}
