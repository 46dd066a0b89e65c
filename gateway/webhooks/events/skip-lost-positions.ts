/** Skips the positions of events that a restored database has lost. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'

/** More events than a partner can have between a backup and its restore. */
const SKIPPED = 1_000_000_000n

/**
 * Partners have read up to positions that the database does not know any more. New events get later positions than all of
 * those, so that no reader that continues after its position misses them. Returns the number of partners.
 */
export async function skipLostPositions({ query }: Queryable): Promise<number> {
  const { numAffectedRows } = await sql`
    update event_positions set position = position + ${String(SKIPPED)}::bigint`.execute(query)
  return Number(numAffectedRows ?? 0n)
}
