/** Defines a quote: a price that an FX provider holds for a limited time, with everything that booking it needs. */

import type { Money } from '../../platform/money.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { BookableQuote } from '../providers/conversion.ts'
import type { PayoutTerms } from './deal.ts'

/** Immutable: booking it creates a deal. */
export type Quote = BookableQuoteTerms & {
  readonly company: { readonly countryCode: string; readonly organisationNumber: string }
  readonly endToEndId: string
  /** Markup over the reference rate in percent, as a decimal; null without a reference rate. */
  readonly markupPercent: string | null
  readonly intermediary: IntermediaryAccount
  /** The payout order and its beneficiary; encrypted at rest. */
  readonly terms: PayoutTerms
  readonly createdAt: Temporal.Instant
}

export type QuoteKey = Pick<Quote, 'partnerId' | 'id'>

/** A payment due today is signed at once; a price for a later day may be compared first. */
export const QUOTE_VALIDITY_SECONDS = { dueToday: 120, dueLater: 300 } as const

/** Funds that arrive long after the expiry are still matched to their quote, and returned. */
const RETENTION = { hours: 24 * 30 }

/** When a quote is deleted unless it was booked. */
export function quotePurgeAt({ expiresAt }: Pick<Quote, 'expiresAt'>): Temporal.Instant {
  return expiresAt.add(RETENTION)
}

/** Whether a quote can no longer be booked. */
export function isQuoteExpired({ expiresAt }: Pick<Quote, 'expiresAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, expiresAt) >= 0
}

/** The encryption purpose of its payout terms. */
export function quotePurpose({ partnerId, id }: QuoteKey): string {
  return `fx quote terms ${partnerId} ${id}`
}

/** The part of a quote that a deal is created from. */
export type BookableQuoteTerms = {
  readonly partnerId: string
  readonly id: string
  readonly referenceCode: string
  /** The country of the debtor's bank. */
  readonly fundingCountry: string
  /** The execution day of the funding order. */
  readonly fundingDate: Temporal.PlainDate
  readonly cost: Money
  readonly expiresAt: Temporal.Instant
  readonly provider: string
  readonly held: BookableQuote
}
