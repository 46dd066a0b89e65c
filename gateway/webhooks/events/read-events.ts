/** Reads a partner's events after a position, for receivers that missed deliveries. */
import type { ProgramContext } from '../../platform/program-context.ts'
import {
  type EventRange,
  type EventWindow,
  findPositionRange,
  type ListedEvents,
  listEvents,
  type PositionRange,
} from './event-store.ts'

/**
 * Oldest first, at most `limit`; only from a time on or of some types, when given. No later event has a lower position.
 */
export async function readEvents(
  { database }: ProgramContext,
  partnerId: string,
  request: EventRange,
): Promise<ListedEvents> {
  return await listEvents(database, partnerId, request)
}

/** The first and the last position of the events of a time window; undefined when there are none. */
export async function findPositionsOfWindow(
  { database }: ProgramContext,
  partnerId: string,
  window: EventWindow,
): Promise<PositionRange | undefined> {
  return await findPositionRange(database, partnerId, window)
}
