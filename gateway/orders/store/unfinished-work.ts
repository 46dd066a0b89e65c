/** Counts work that is in progress at banks, of all partners: what an upgrade or a stop meets. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'

export type UnfinishedWork = {
  /** Orders that a bank was sent, and of which no answer is recorded yet. */
  readonly inFlight: number
  readonly unknown: number
  readonly payrolls: number
  /** Exchanges whose deadline for signing passes within a quarter of an hour. */
  readonly deadlines: number
}

export async function countUnfinishedWork({ query }: Queryable): Promise<UnfinishedWork> {
  // By the names of the outcomes, which a database that waits for its migration may not have.
  const { rows } = await sql<UnfinishedWork>`
    select (select count(*)::int from payments where outcome::text = 'in-flight') as "inFlight",
      (select count(*)::int from payments where outcome::text = 'unknown') as unknown,
      (select count(*)::int from payrolls where submit_at is not null and state = 'submitting') as payrolls,
      (select count(*)::int from payments where decide_at is not null
        and decide_at < clock_timestamp() + interval '15 minutes') as deadlines`.execute(query)
  return rows[0] ?? { inFlight: 0, unknown: 0, payrolls: 0, deadlines: 0 }
}
