/** Books an exchange at its provider: the deal is kept before the provider is asked, so that no conversion is ever forgotten. */
import { atomically } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import { sealTerms } from './deal-terms.ts'
import type { Deal, PayoutTerms } from './deals/deal.ts'
import { findDealById, findDealOfQuote, insertDeal } from './deals/deal-store.ts'
import type { FxContext } from './fx-context.ts'
import { keepBooked, keepNotBooked } from './keep-booking.ts'
import { attempt, providerOf } from './provider-of.ts'
import { FxRefusal, leavesInDoubt } from './providers/fx-provider-error.ts'
import type { QuoteToBook } from './quotes/quote.ts'
import { keepForEver } from './quotes/quote-store.ts'

/** What is booked: by a payment, or by money that came from outside. */
export type DealAsked = {
  readonly quote: QuoteToBook
  readonly paymentId: string | null
  readonly terms: PayoutTerms
}

/**
 * What came of it. `booked`: with the provider's conversion. `failed`: certainly nothing is booked. `booking`: the outcome
 * is not known yet and will be found out; whoever does not wait for it breaks the deal.
 */
export type Booking = { readonly deal: Deal; readonly refusal: FxRefusal | null }

/** The quote was booked before, by another payment or by money from outside. */
export class QuoteTaken extends Error {}

/** After so long, whoever was asking is dead; a call to the provider takes less. */
const ASKING = { seconds: 60 }

/** Keeps the deal and books it. Safe to repeat for the same payment. Throws `QuoteTaken`. */
export async function bookDeal(context: FxContext, asked: DealAsked): Promise<Booking> {
  const { deal, isNew } = await keepDeal(context, asked)
  if (isNew) {
    return await book(context, deal)
  }
  // Whoever kept it asks the provider, or the sweep does after them: one at a time may take a no for what it says.
  const underWay = new FxRefusal('outcome-unknown', 'The exchange is being booked already')
  return { deal, refusal: deal.state === 'booking' ? underWay : null }
}

/** Keeps what is about to be booked; what the quote was booked by before is not new. */
async function keepDeal(
  { database, clock, seal }: FxContext,
  { quote, paymentId, terms }: DealAsked,
): Promise<{ readonly deal: Deal; readonly isNew: boolean }> {
  const at = clock.now()
  const { partnerId, id: quoteId, provider, referenceCode, fundingCountry, fundingDate, cost } = quote
  const deal: Deal = {
    ...{ partnerId, id: newId(), provider, quoteId, paymentId, referenceCode, fundingCountry, fundingDate, cost },
    ...{ quote: quote.held, deadline: quote.expiresAt, state: 'booking', reason: null, version: 1 },
    ...{ createdAt: at, changedAt: at, signedAt: null, conversionId: null, beneficiaryId: null, payoutId: null },
    ...{ returned: null, unwanted: null, failingSince: null, attempts: 0 },
    ...{ doubtUntil: null, dueAt: null, breakAt: null },
  }
  const termsSealed = sealTerms({ seal }, deal, terms)
  const isNew = await atomically(database, async (within) => {
    await keepForEver(within, { partnerId, id: quoteId })
    return await insertDeal(within, { ...deal, termsSealed, dueAt: at.add(ASKING) })
  })
  if (isNew) {
    return { deal, isNew: true }
  }
  const kept = await findDealOfQuote(database, deal)
  if (kept === undefined || kept.paymentId !== paymentId) {
    throw new QuoteTaken(`Quote ${quoteId} was booked before`)
  }
  return { deal: kept, isNew: false }
}

/** Books a deal that was just kept. Whoever asks first takes a clear no for what it says, unless others ask by then. */
async function book(context: FxContext, deal: Deal): Promise<Booking> {
  const provider = providerOf(context, deal)
  const booked = await attempt(() => provider.book(bookingOf(deal)))
  if ('done' in booked) {
    return { deal: await keepBooked(context, deal, booked.done), refusal: null }
  }
  const { refusal } = booked
  const isAlone = Temporal.Instant.compare(context.clock.now(), deal.createdAt.add(ASKING)) < 0
  if (isAlone && !leavesInDoubt(refusal)) {
    return { deal: await keepNotBooked(context, deal, refusal.kind), refusal }
  }
  const found = await attempt(() => provider.findConversion(deal.id))
  return 'done' in found && found.done !== null
    ? { deal: await keepBooked(context, deal, found.done), refusal: null }
    : { deal: (await findDealById(context.database, deal)) ?? deal, refusal }
}

/** What the provider is asked; the same each time, so that there is one conversion. */
export function bookingOf({ id, quote, referenceCode }: Deal) {
  return { quote, requestId: id, reason: `Payment ${referenceCode}` }
}
