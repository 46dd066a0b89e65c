/** Deletes expired quotes that were not booked, including the data of their receivers. */

import { attemptOf, processRow } from '../../platform/jobs/process-row.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { listPurgeableQuotes, nextQuotePurgeStatement, postponeQuotePurge, purgeUnbookedQuote } from './quote-store.ts'

const NAME = 'FX quote retention'

/** The sweep that deletes them. */
export function quoteRetentionSweep(context: ProgramContext): Sweep {
  const { database } = context
  return {
    name: NAME,
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => (await nextQuotePurgeStatement.execute(database.query)).rows[0]?.purgeAt ?? null,
    dueStatement: nextQuotePurgeStatement,
    run: (limit) => purgeQuotes(context, limit),
  }
}

async function purgeQuotes(context: ProgramContext, limit: number): Promise<number> {
  const { database, clock } = context
  const now = clock.now()
  const quotes = await listPurgeableQuotes(database, now, limit)
  for (const quote of quotes) {
    await processRow(
      context,
      await attemptOf(context, { sweep: NAME, partnerId: quote.partnerId, rowId: quote.id }),
      () => purgeUnbookedQuote(database, quote, now),
      (delay) => postponeQuotePurge(database, quote, now.add(delay)),
    )
  }
  return quotes.length
}
