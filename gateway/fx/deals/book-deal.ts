/** Books an exchange at its FX provider. The deal is stored before the call, so that no conversion is lost. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import type { Conversion } from '../providers/conversion.ts'
import { FxProviderError, hasUnknownOutcome, isTransient } from '../providers/fx-provider-error.ts'
import { LATE_ARRIVAL, providerOf, tryProviderCall } from '../providers/provider-retry.ts'
import type { Deal, PayoutTerms } from '../store/deal.ts'
import { findDealById, findDealByQuote, insertDeal } from '../store/deal-store.ts'
import { postponeDeal } from '../store/deal-transition-store.ts'
import { rescheduleEarlyFunds } from '../store/inbound-funds-store.ts'
import type { BookableQuoteTerms } from '../store/quote.ts'
import { exemptQuoteFromPurge } from '../store/quote-store.ts'
import { transitionDeal } from './change-deal.ts'
import { retryDealLater, settleDealTask } from './raise-deal-task.ts'

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
  const isNew = await inTransaction(context, async (context) => {
    await exemptQuoteFromPurge(context.database, { partnerId, id: quoteId })
    return await insertDeal(context, { ...deal, dueAt: at.add(BOOKING_LEASE) }, terms)
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

/** Records the conversion. A deal that is to be cancelled, or was not booked as quoted, is cancelled at once. */
export async function recordBooked(context: Context, deal: Deal, conversion: Conversion): Promise<Deal> {
  const isQuoted = isSame(conversion.buy, deal.quote.buy) && isSame(conversion.sell, deal.quote.sell)
  if (!isQuoted) {
    context.log.error({ dealId: deal.id }, 'the provider booked other amounts than it quoted; cancelling the deal')
  }
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const current = await findDealById(context.database, deal, { lock: true })
    const isLate = current?.state === 'failed'
    const cancelReason = current?.cancelReason ?? (isQuoted && !isLate ? null : 'given-up')
    const detail = { conversion: conversion.id }
    const unbooked = isLate || current?.state === 'booking' ? current : undefined
    const moved =
      unbooked && (await transitionDeal(context, unbooked, { state: 'booked', conversionId: conversion.id, detail }))
    if (moved === undefined) {
      return current ?? deal
    }
    await rescheduleEarlyFunds(context.database, deal, clock.now())
    await settleDealTask(context, deal, 'DealNotBooked', 'the provider reports that the conversion is booked')
    const cancelling = cancelReason && { state: 'cancelling' as const, reason: cancelReason, unwindAt: clock.now() }
    return (
      (cancelling && (await transitionDeal(context, moved, { ...cancelling, detail: { reason: cancelReason } }))) ??
      moved
    )
  })
}

/** Records that certainly nothing is booked. */
async function recordNotBooked(context: Context, deal: Deal, reason: string): Promise<Deal> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const moved = await transitionDeal(context, deal, { state: 'failed', reason, detail: { reason } })
    await rescheduleEarlyFunds(context.database, deal, clock.now())
    await settleDealTask(context, deal, 'DealNotBooked', 'the provider reports that no conversion is booked')
    return moved ?? (await findDealById(context.database, deal)) ?? deal
  })
}

function isSame(one: Conversion['buy'], other: Conversion['buy']): boolean {
  return one.minor === other.minor && one.currency === other.currency
}

/** Records the outcome if it is known now; reschedules the deal otherwise. */
export async function resumeBooking(context: Context, deal: Deal): Promise<void> {
  const found = await tryProviderCall(() => providerOf(context, deal).findConversion(deal.id))
  if ('error' in found) {
    await retryDealLater(context, deal, found.error, { task: 'DealNotBooked' })
  } else if (found.done !== null) {
    await recordBooked(context, deal, found.done)
  } else if (deal.cancelReason === null && Temporal.Instant.compare(context.clock.now(), deal.deadline) < 0) {
    await bookAgain(context, deal)
  } else {
    await recordNotBookedUnlessLate(context, deal)
  }
}

/** Idempotent at the provider: repeating the request creates no second conversion. */
async function bookAgain(context: Context, deal: Deal): Promise<void> {
  const booked = await tryProviderCall(() => providerOf(context, deal).book(bookingRequestOf(deal)))
  if ('done' in booked) {
    await recordBooked(context, deal, booked.done)
  } else if (isTransient[booked.error.kind]) {
    await retryDealLater(context, deal, booked.error, { task: 'DealNotBooked' })
  } else {
    await recordNotBookedUnlessLate(context, deal)
  }
}

/** A rejection of the second request does not prove that the first was rejected: the conversion is looked up again. */
async function recordNotBookedUnlessLate(context: Context, deal: Deal): Promise<void> {
  const { clock, database } = context
  const knownAt = deal.createdAt.add(LATE_ARRIVAL)
  if (Temporal.Instant.compare(clock.now(), knownAt) < 0) {
    const { attempts, failingSince } = deal
    await postponeDeal(database, deal, { attempts, failingSince, dueAt: knownAt })
    return
  }
  const found = await tryProviderCall(() => providerOf(context, deal).findConversion(deal.id))
  if ('error' in found) {
    await retryDealLater(context, deal, found.error, { task: 'DealNotBooked' })
  } else if (found.done === null) {
    await recordNotBooked(context, deal, 'never booked')
  } else {
    await recordBooked(context, deal, found.done)
  }
}
