/** Reads a partner's events after a position, for receivers that missed deliveries. */
import type { Context } from '../../context.ts'
import { type EventRange, firstPositionSince, type ListedEvents, listEvents, newestPosition } from './event-store.ts'

/**
 * Oldest first, at most `limit`; only from a time on or of some types, when given. No later event has a lower position.
 */
export async function readEvents(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  request: EventRange,
): Promise<ListedEvents> {
  return await listEvents(database, partnerId, request)
}

/** The first and the last position of events since a time; undefined when there are none. */
export async function findPositionRangeSince(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  since: Temporal.Instant,
): Promise<{ readonly first: bigint; readonly last: bigint } | undefined> {
  const last = await newestPosition(database, partnerId)
  const first = await firstPositionSince(database, partnerId, since)
  return first === undefined || first > last ? undefined : { first, last }
}
