/** Forgets events that are old enough, the oldest of each partner first. */
import type { Context } from '../context.ts'
import { leastIdAt } from '../platform/ids.ts'
import { forgetOldest } from '../webhooks/events/event-store.ts'

/** Business time and wall time before which something is old; whichever comes first counts. */
export type OldBefore = { readonly business: Temporal.Instant; readonly real: Temporal.Instant }

/** Some of them; says how many there were. */
export async function forgetEvents(
  { database }: Pick<Context, 'database'>,
  { business, real }: OldBefore,
): Promise<number> {
  return await forgetOldest(database, { occurredBefore: business, belowId: leastIdAt(real) })
}
