/** Records that a replica was promoted and nothing was lost, so that `havn doctor` no longer asks about it. */

import { type Timeline, timelineName } from '../platform/database/timeline.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { NO_PARTNER } from './audit-entry.ts'
import { writeAuditEntry } from './write-audit-entry.ts'

export async function recordFailover(
  context: ProgramContext,
  { timeline, actor }: { readonly timeline: Timeline; readonly actor: string },
): Promise<void> {
  const action = 'failover without loss recorded'
  const detail = { timeline: timelineName(timeline) }
  await writeAuditEntry(context, { partnerId: NO_PARTNER, actor, action, subject: ['database', 'promoted'], detail })
}
