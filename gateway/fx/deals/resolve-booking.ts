/** Resolves a booking with an unknown outcome: looks up the conversion, and books again if there is none. */

import type { Context } from '../../context.ts'
import type { Conversion } from '../providers/conversion.ts'
import { type FxProviderError, isTransient } from '../providers/fx-provider-error.ts'
import { providerOf, scheduleRetry, tryProviderCall } from '../providers/provider-retry.ts'
import { bookingRequestOf } from './book-deal.ts'
import type { Deal } from './deal.ts'
import { postponeDeal } from './deal-transition-store.ts'
import { raiseDealTask } from './raise-deal-task.ts'
import { recordBooked, recordNotBooked } from './record-booking.ts'

/** A request that is still in flight reaches the provider within this time, or never. */
const LATE_ARRIVAL = { minutes: 3 }

/** Records the outcome if it is known now; reschedules the deal otherwise. */
export async function resumeBooking(context: Context, deal: Deal): Promise<void> {
  const found = await tryProviderCall(() => find(context, deal))
  if ('error' in found) {
    await postponeAfterFailure(context, deal, found.error)
  } else if (found.done !== null) {
    await recordBooked(context, deal, found.done)
  } else if (isWanted(context, deal)) {
    await bookAgain(context, deal)
  } else {
    await recordNotBookedUnlessLate(context, deal)
  }
}

async function find(context: Context, deal: Deal): Promise<Conversion | null> {
  return await providerOf(context, deal).findConversion(deal.id)
}

/** Idempotent at the provider: repeating the request creates no second conversion. */
async function bookAgain(context: Context, deal: Deal): Promise<void> {
  const booked = await tryProviderCall(() => providerOf(context, deal).book(bookingRequestOf(deal)))
  if ('done' in booked) {
    await recordBooked(context, deal, booked.done)
  } else if (isTransient[booked.error.kind]) {
    await postponeAfterFailure(context, deal, booked.error)
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
  const found = await tryProviderCall(() => find(context, deal))
  if ('error' in found) {
    await postponeAfterFailure(context, deal, found.error)
  } else if (found.done === null) {
    await recordNotBooked(context, deal, 'never booked')
  } else {
    await recordBooked(context, deal, found.done)
  }
}

function isWanted({ clock }: Context, { cancelReason, deadline }: Deal): boolean {
  return cancelReason === null && Temporal.Instant.compare(clock.now(), deadline) < 0
}

async function postponeAfterFailure(context: Context, deal: Deal, error: FxProviderError): Promise<void> {
  const { at, isStuck, ...retryState } = scheduleRetry(context.clock.now(), deal, error)
  if (isStuck) {
    await raiseDealTask(context, deal, 'DealNotBooked', { errorKind: error.kind })
  }
  await postponeDeal(context.database, deal, { ...retryState, dueAt: at })
}
