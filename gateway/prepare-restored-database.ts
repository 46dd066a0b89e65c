/** Prepares a database that was restored to a point in time, before gateways and workers use it. */

import { NO_PARTNER, RESTORED_DATABASE, writeAuditEntry } from './operators/audit-log.ts'
import { recordRestoredBookings } from './orders/exchange/book-deal-for-payment.ts'
import { holdPayrollsInSubmission } from './orders/submit/maintain-payroll.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { readTimeline, timelineName } from './platform/database/timeline.ts'
import type { ProgramContext } from './platform/program-context.ts'
import { skipLostPositions } from './webhooks/events/skip-lost-positions.ts'

/** What was prepared. */
export type PreparedRestoration = {
  readonly payrollsHeld: number
  /** How many partners have streams of events whose positions were advanced. */
  readonly streamsAdvanced: number
}

/**
 * Holds payrolls whose submission would continue, because banks may hold what is not recorded any more, and skips the
 * positions of lost events. Orders that were being submitted are left to recovery, which records their outcome as unknown,
 * and so are those whose exchange was being booked. The entry in the audit log keeps earlier orders from being resubmitted.
 */
export async function prepareRestoredDatabase(
  context: ProgramContext,
  { restoredTo, actor }: { readonly restoredTo: Temporal.Instant; readonly actor: string },
): Promise<PreparedRestoration> {
  const detail = { restoredTo: restoredTo.toString() }
  const timeline = await readTimeline(context.database)
  const payrollsHeld = await holdPayrollsInSubmission(context, detail)
  return await inTransaction(context, async (context) => {
    await recordRestoredBookings(context)
    const done = { payrollsHeld, streamsAdvanced: await skipLostPositions(context.database) }
    const known = timeline === null ? {} : { timeline: timelineName(timeline) }
    const entry = {
      partnerId: NO_PARTNER,
      actor,
      action: 'restored database prepared' as const,
      subject: RESTORED_DATABASE,
    }
    await writeAuditEntry(context, { ...entry, detail: { ...detail, ...done, ...known } })
    return done
  })
}
