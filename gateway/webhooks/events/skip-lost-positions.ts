/** Skips the positions of events that a restored database has lost. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { advanceAllPositions } from '../store/event-store.ts'

/** More events than a partner can have between a backup and its restore. */
const SKIPPED = 1_000_000_000n

/**
 * Partners have read up to positions that the database does not know any more. New events get later positions than all of
 * those, so that no reader that continues after its position misses them. Returns the number of partners.
 */
export async function skipLostPositions(database: Queryable): Promise<number> {
  return await advanceAllPositions(database, SKIPPED)
}
