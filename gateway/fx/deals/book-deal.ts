/** Books an exchange at its FX provider. The deal is stored before the call, so that no conversion is lost. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { FxProviderError, hasUnknownOutcome } from '../providers/fx-provider-error.ts'
import { providerOf, tryProviderCall } from '../providers/provider-retry.ts'
import type { BookableQuoteTerms } from '../quotes/quote.ts'
import { exemptQuoteFromPurge } from '../quotes/quote-store.ts'
import type { Deal, PayoutTerms } from './deal.ts'
import { findDealById, findDealByQuote, insertDeal } from './deal-store.ts'
import { sealPayoutTerms } from './payout-terms-encryption.ts'
import { recordBooked, recordNotBooked } from './record-booking.ts'

/** What to book; `paymentId` is null when funds that arrived from outside Havn book the quote. */
export type BookingRequest = {
  readonly quote: BookableQuoteTerms
  readonly paymentId: string | null
  readonly terms: PayoutTerms
}

/**
 * `booked`: with the provider's conversion. `failed`: certainly nothing is booked. `booking`: the outcome is unknown;
 * the deal sweep will resolve it. A caller that does not wait for it cancels the deal.
 */
export type BookingResult = { readonly deal: Deal; readonly rejection: FxProviderError | null }

/** The quote was booked before, by another payment or by inbound funds. */
export class QuoteAlreadyBooked extends Error {}

/** A booking call takes less. After this time the process that made it counts as dead, and the sweep may take over. */
const BOOKING_LEASE = { seconds: 60 }

/** Stores the deal and books it. Safe to repeat for the same payment. Throws `QuoteAlreadyBooked`. */
export async function bookDeal(context: Context, request: BookingRequest): Promise<BookingResult> {
  const { deal, isNew } = await insertNewDeal(context, request)
  if (isNew) {
    return await book(context, deal)
  }
  // The process that inserted the deal calls the provider, or the sweep does after it: only one may act on a rejection.
  const inFlight = new FxProviderError('outcome-unknown', 'The exchange is already being booked')
  return { deal, rejection: deal.state === 'booking' ? inFlight : null }
}

/** `isNew` is false when the quote already has a deal of the same payment. Throws `QuoteAlreadyBooked`. */
async function insertNewDeal(
  context: Context,
  { quote, paymentId, terms }: BookingRequest,
): Promise<{ readonly deal: Deal; readonly isNew: boolean }> {
  const at = context.clock.now()
  const { partnerId, id: quoteId, provider, referenceCode, fundingCountry, fundingDate, cost } = quote
  const deal: Deal = {
    ...{ partnerId, id: newId(), provider, quoteId, paymentId, referenceCode, fundingCountry, fundingDate, cost },
    ...{ quote: quote.held, deadline: quote.expiresAt, state: 'booking', reason: null, version: 1 },
    ...{ createdAt: at, changedAt: at, signedAt: null, conversionId: null, beneficiaryId: null, payoutId: null },
    ...{ returned: null, cancelReason: null, failingSince: null, attempts: 0 },
    ...{ outcomeUnknownUntil: null, dueAt: null, unwindAt: null },
  }
  const termsSealed = sealPayoutTerms(context, deal, terms)
  const isNew = await inTransaction(context, async (context) => {
    await exemptQuoteFromPurge(context.database, { partnerId, id: quoteId })
    return await insertDeal(context.database, { ...deal, termsSealed, dueAt: at.add(BOOKING_LEASE) })
  })
  if (isNew) {
    return { deal, isNew: true }
  }
  const stored = await findDealByQuote(context.database, deal)
  if (stored === undefined || stored.paymentId !== paymentId) {
    throw new QuoteAlreadyBooked(`Quote ${quoteId} is already booked`)
  }
  return { deal: stored, isNew: false }
}

/** Books a deal that was just inserted. A definite rejection counts only while the sweep cannot have taken over. */
async function book(context: Context, deal: Deal): Promise<BookingResult> {
  const provider = providerOf(context, deal)
  const booked = await tryProviderCall(() => provider.book(bookingRequestOf(deal)))
  if ('done' in booked) {
    return { deal: await recordBooked(context, deal, booked.done), rejection: null }
  }
  const { error } = booked
  const isLeaseHolder = Temporal.Instant.compare(context.clock.now(), deal.createdAt.add(BOOKING_LEASE)) < 0
  if (isLeaseHolder && !hasUnknownOutcome(error)) {
    return { deal: await recordNotBooked(context, deal, error.kind), rejection: error }
  }
  const found = await tryProviderCall(() => provider.findConversion(deal.id))
  return 'done' in found && found.done !== null
    ? { deal: await recordBooked(context, deal, found.done), rejection: null }
    : { deal: (await findDealById(context.database, deal)) ?? deal, rejection: error }
}

/** Always the same request for a deal, so that repeating it cannot create a second conversion. */
export function bookingRequestOf({ id, quote, referenceCode }: Deal) {
  return { quote, requestId: id, reason: `Payment ${referenceCode}` }
}
