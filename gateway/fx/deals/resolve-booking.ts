/** Finds out what became of a booking whose asker died or heard nothing: by asking for it, and by booking it again. */
import { bookingOf } from '../book-deal.ts'
import type { FxContext } from '../fx-context.ts'
import { keepBooked, keepNotBooked } from '../keep-booking.ts'
import { attempt, providerOf, retryAfter } from '../provider-of.ts'
import type { Conversion } from '../providers/conversion.ts'
import { type FxRefusal, isPassing } from '../providers/fx-provider-error.ts'
import type { Deal } from './deal.ts'
import { postponeDeal } from './deal-transition-store.ts'
import { tellPeople } from './raise-deal-task.ts'

/** A request that was still on its way has arrived by then, or never will. */
const LATE_ARRIVAL = { minutes: 3 }

/** Books it, finds that it is booked, or finds for certain that it is not; sets the next time otherwise. */
export async function resumeBooking(context: FxContext, deal: Deal): Promise<void> {
  const found = await attempt(() => find(context, deal))
  if ('refusal' in found) {
    await tryLater(context, deal, found.refusal)
  } else if (found.done !== null) {
    await keepBooked(context, deal, found.done)
  } else if (isWanted(context, deal)) {
    await bookAgain(context, deal)
  } else {
    await endUnlessLate(context, deal)
  }
}

async function find(context: FxContext, deal: Deal): Promise<Conversion | null> {
  return await providerOf(context, deal).findConversion(deal.id)
}

/** There is one conversion however often it is asked for. */
async function bookAgain(context: FxContext, deal: Deal): Promise<void> {
  const booked = await attempt(() => providerOf(context, deal).book(bookingOf(deal)))
  if ('done' in booked) {
    await keepBooked(context, deal, booked.done)
  } else if (isPassing[booked.refusal.kind]) {
    await tryLater(context, deal, booked.refusal)
  } else {
    await endUnlessLate(context, deal)
  }
}

/** A no to the second request says nothing of the first: what that made shows when it is looked for once more. */
async function endUnlessLate(context: FxContext, deal: Deal): Promise<void> {
  const { clock, database } = context
  const knownAt = deal.createdAt.add(LATE_ARRIVAL)
  if (Temporal.Instant.compare(clock.now(), knownAt) < 0) {
    const { attempts, failingSince } = deal
    await postponeDeal(database, deal, { attempts, failingSince, dueAt: knownAt })
    return
  }
  const found = await attempt(() => find(context, deal))
  if ('refusal' in found) {
    await tryLater(context, deal, found.refusal)
  } else if (found.done === null) {
    await keepNotBooked(context, deal, 'never booked')
  } else {
    await keepBooked(context, deal, found.done)
  }
}

function isWanted({ clock }: Pick<FxContext, 'clock'>, { unwanted, deadline }: Deal): boolean {
  return unwanted === null && Temporal.Instant.compare(clock.now(), deadline) < 0
}

async function tryLater(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const { at, isStuck, ...trouble } = retryAfter(context.clock.now(), deal, refusal)
  if (isStuck) {
    await tellPeople(context, deal, 'DealNotBooked', { refusal: refusal.kind })
  }
  await postponeDeal(context.database, deal, { ...trouble, dueAt: at })
}
