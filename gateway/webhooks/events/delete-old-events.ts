/** Deletes events after their retention period, the oldest of each partner first. */

import { lowestIdAt } from '../../platform/ids.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { deleteOldestEvents } from './event-store.ts'

/** The limits in business time and wall time; the first that is reached counts. */
export type RetentionCutoff = { readonly business: Temporal.Instant; readonly real: Temporal.Instant }

/** Deletes one batch, of some of the partners that have old events; returns how many there were. */
export async function deleteOldEvents(
  { database }: ProgramContext,
  { business, real }: RetentionCutoff,
  partners: BatchRange,
): Promise<number> {
  return await deleteOldestEvents(database, { occurredBefore: business, belowId: lowestIdAt(real) }, partners)
}
