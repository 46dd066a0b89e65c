/** Locks a partner's event stream until a transaction ends, for changes that must be ordered relative to each event. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'

/**
 * Waits for transactions that are recording an event, and blocks those that would: so an event is entirely before or
 * entirely after the caller's change. Returns the position of the last event; 0 for a partner without events.
 */
export async function lockEventStream({ query }: Queryable, partnerId: string): Promise<bigint> {
  const { rows } = await sql<{ position: bigint }>`
    insert into event_positions as p (partner_id, position) values (${partnerId}, 0)
    on conflict (partner_id) do update set position = p.position returning position`.execute(query)
  return rows[0]?.position ?? 0n
}
