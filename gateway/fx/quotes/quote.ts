/** What a quote is: a price for an exchange that a provider holds for a while, and everything that booking it takes. */

import type { Money } from '../../platform/money.ts'
import type { PayoutTerms } from '../deals/deal.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { BookableQuote } from '../providers/conversion.ts'

/** Once given it does not change: booking it makes a deal, and not booking it costs nothing. */
export type Quote = QuoteToBook & {
  readonly company: { readonly countryCode: string; readonly organisationNumber: string }
  readonly endToEndId: string
  /** Over the reference rate, in percent, as a decimal; null where there is none. */
  readonly markupPercent: string | null
  readonly intermediary: IntermediaryAccount
  /** Whom the payout is for, and what it says; sealed at rest. */
  readonly terms: QuoteTerms
  readonly createdAt: Temporal.Instant
}

/** The provider pays out as soon as it can. */
export type QuoteTerms = PayoutTerms & { readonly paymentDate: null }

/** What identifies a quote. */
export type QuoteKey = Pick<Quote, 'partnerId' | 'id'>

/** Who pays today has to sign at once; a price for later may be looked at. */
export const QUOTE_LIFE_SECONDS = { dueToday: 120, dueLater: 300 } as const

/** Money that comes for a quote that is long over is still known by it, and sent back. */
const KEPT = { hours: 24 * 30 }

/** When a quote is forgotten, unless it is booked by then. */
export function forgottenAt({ expiresAt }: Pick<Quote, 'expiresAt'>): Temporal.Instant {
  return expiresAt.add(KEPT)
}

/** Whether a quote may still be booked. */
export function isOver({ expiresAt }: Pick<Quote, 'expiresAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, expiresAt) >= 0
}

/** What its terms are sealed for. */
export function quotePurpose({ partnerId, id }: QuoteKey): string {
  return `fx quote terms ${partnerId} ${id}`
}

/** What of a quote a deal is made from. */
export type QuoteToBook = {
  readonly partnerId: string
  readonly id: string
  readonly referenceCode: string
  /** From which country it is paid for. */
  readonly fundingCountry: string
  /** On which day the payer's bank is to carry out the funding order. */
  readonly fundingDate: Temporal.PlainDate
  readonly cost: Money
  readonly expiresAt: Temporal.Instant
  readonly provider: string
  readonly held: BookableQuote
}
