/** Reads a partner's events from a position on, for whoever missed deliveries. */
import type { Context } from '../../context.ts'
import type { AppendedEvent } from './append-event.ts'
import { firstPositionSince, listEvents, newestPosition } from './event-store.ts'

/** Events behind a position, and up to which position they are kept no more. */
export type EventPage = { readonly events: readonly AppendedEvent[]; readonly forgottenTo: bigint }

/** Oldest first, `limit` at most; only from a time on, when one is given. No event that comes later has a lower position. */
export async function readEvents(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  asked: { readonly after: bigint; readonly limit: number; readonly since?: Temporal.Instant },
): Promise<EventPage> {
  return await listEvents(database, partnerId, asked)
}

/** From where on and up to where there are events of a time or later now; undefined when there are none. */
export async function readRangeSince(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  since: Temporal.Instant,
): Promise<{ readonly first: bigint; readonly last: bigint } | undefined> {
  const last = await newestPosition(database, partnerId)
  const first = await firstPositionSince(database, partnerId, since)
  return first === undefined || first > last ? undefined : { first, last }
}
