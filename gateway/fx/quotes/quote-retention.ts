/** Deletes expired quotes that were not booked, including the data of their receivers. */
import type { Context } from '../../context.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import { nextQuotePurgeStatement, purgeUnbookedQuotes } from './quote-store.ts'

/** The sweep that deletes them. */
export function quoteRetentionSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  return {
    name: 'FX quote retention',
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => (await nextQuotePurgeStatement.execute(database.query)).rows[0]?.purgeAt ?? null,
    dueStatement: nextQuotePurgeStatement,
    run: async (limit) => await purgeUnbookedQuotes(database, clock.now(), limit),
  }
}
