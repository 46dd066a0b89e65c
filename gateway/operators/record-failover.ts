/** Records what was lost when a replica was promoted, so that `havn doctor` no longer asks about it. */
import type { Queryable } from '../platform/database/in-transaction.ts'
import { type Timeline, timelineName } from '../platform/database/timeline.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { hasEntryOfTimeline, NO_PARTNER, writeAuditEntry } from './audit-log.ts'

/** Records that nothing was lost. */
export async function recordFailover(
  context: ProgramContext,
  { timeline, actor }: { readonly timeline: Timeline; readonly actor: string },
): Promise<void> {
  const action = 'failover without loss recorded'
  const detail = { timeline: timelineName(timeline) }
  await writeAuditEntry(context, { partnerId: NO_PARTNER, actor, action, subject: ['database', 'promoted'], detail })
}

/** Whether a failover or a restore that began the timeline is recorded. */
export async function isTimelineRecorded(database: Queryable, timeline: Timeline): Promise<boolean> {
  return await hasEntryOfTimeline(database, timelineName(timeline))
}
