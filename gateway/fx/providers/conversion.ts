/** What an exchange is to a provider: a rate, a rate that is held, and the conversion that is booked at it. */
import type { Money } from '../../platform/money.ts'

/** Which of the two amounts is given: what the receiver gets is bought, what the payer gives is sold. */
export type FixedSide = 'buy' | 'sell'

/** An exchange to be priced. */
export type RateAsked = {
  readonly buyCurrency: string
  readonly sellCurrency: string
  readonly fixedSide: FixedSide
  /** In the currency of the fixed side. */
  readonly amount: Money
  /** The day on which the bought money is there; null for the provider's usual one. */
  readonly conversionDate: Temporal.PlainDate | null
}

/** What an exchange costs at this moment; nothing is held. */
export type ProviderRate = {
  readonly buy: Money
  readonly sell: Money
  readonly fixedSide: FixedSide
  /** Units of the sold currency for one unit of the bought one, midway between offers; null when the provider is silent. */
  readonly midRate: string | null
  /** Until when the sold money must have arrived. */
  readonly settlementCutOff: Temporal.Instant | null
}

/** How long the rate should be held; providers hold for some lengths only, and give the nearest that is no shorter. */
export type QuoteAsked = RateAsked & { readonly holdSeconds: number }

/** A price that is held until `holdsUntil`. */
export type ProviderQuote = ProviderRate & {
  readonly providerQuoteId: string
  readonly holdsUntil: Temporal.Instant
  /** As asked; booking repeats it. */
  readonly conversionDate: Temporal.PlainDate | null
}

/** The parts of a quote that booking it takes. */
export type BookableQuote = Pick<ProviderQuote, 'providerQuoteId' | 'buy' | 'sell' | 'fixedSide' | 'conversionDate'>

/** `requestId` is ours and never used for another conversion: asked twice with the same one, there is one conversion. */
export type BookingAsked = {
  readonly quote: BookableQuote
  readonly requestId: string
  /** What the money is for, in the words that the provider keeps. */
  readonly reason: string
}

/** `settled`: the bought money is on the account at the provider. */
export type ConversionState = 'awaiting-funds' | 'funds-arrived' | 'settled' | 'cancelled'

/** A booked exchange, as the provider shows it. */
export type Conversion = {
  readonly id: string
  /** Null when the provider used a word that nobody knows: nothing follows from it. */
  readonly state: ConversionState | null
  /** The provider's own word. */
  readonly providerStatus: string
  readonly buy: Money
  readonly sell: Money
  /** Until when the sold money must have arrived. */
  readonly settlesAt: Temporal.Instant | null
  readonly requestId: string | null
}

/** What undoing a conversion cost, never negative; null when the provider does not say, e.g. of one cancelled before. */
export type ConversionCancelled = { readonly loss: Money | null }
