/** Defines a provider's rates, held quotes and booked conversions. */
import type { Money } from '../../platform/money.ts'

/** Which amount is fixed: the bought one, which is paid out, or the sold one, which the payer pays. */
export type FixedSide = 'buy' | 'sell'

/** A request for a price. */
export type RateRequest = {
  readonly buyCurrency: string
  readonly sellCurrency: string
  readonly fixedSide: FixedSide
  /** In the currency of the fixed side. */
  readonly amount: Money
  /** The day on which the bought amount is available; null for the provider's default. */
  readonly conversionDate: Temporal.PlainDate | null
}

/** The current price; not held. */
export type ProviderRate = {
  readonly buy: Money
  readonly sell: Money
  readonly fixedSide: FixedSide
}

/** `holdSeconds`: how long to hold the rate; the provider uses its nearest period that is not shorter. */
export type QuoteRequest = RateRequest & { readonly holdSeconds: number }

/** A price that is held until `holdsUntil`. */
export type ProviderQuote = ProviderRate & {
  readonly providerQuoteId: string
  readonly holdsUntil: Temporal.Instant
  /** As requested; the booking repeats it. */
  readonly conversionDate: Temporal.PlainDate | null
}

/** The fields of a quote that booking needs. */
export type BookableQuote = Pick<ProviderQuote, 'providerQuoteId' | 'buy' | 'sell' | 'fixedSide' | 'conversionDate'>

/** `requestId` is the idempotency key: repeating the request with the same one creates no second conversion. */
export type ConversionRequest = {
  readonly quote: BookableQuote
  readonly requestId: string
  /** The purpose of the conversion, for the provider's records. */
  readonly reason: string
}

/** `settled`: the bought amount is available on our account at the provider. */
export type ConversionState = 'awaiting-funds' | 'funds-arrived' | 'settled' | 'cancelled'

/** A booked conversion, as the provider reports it. */
export type Conversion = {
  readonly id: string
  /** Null for an unknown status, which has no effect. */
  readonly state: ConversionState | null
  /** The provider's own status. */
  readonly providerStatus: string
  readonly buy: Money
  readonly sell: Money
  /** Until when the sold money must have arrived. */
  readonly settlesAt: Temporal.Instant | null
  readonly requestId: string | null
}

/** From an instant until before another one. */
export type BookingWindow = { readonly from: Temporal.Instant; readonly to: Temporal.Instant }

/** The loss of cancelling, never negative. */
export type ConversionCancelled = { readonly loss: Money }
