/** Raises a task for a row that a sweep fails to process again and again, and closes it when the row has been processed. */
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import {
  countFailedRows,
  deleteFailedRow,
  FAILURES_BEFORE_TASK,
  type FailedRow,
  failedRows,
  findFailedRow,
  OVER_AFTER,
  scheduleFailedRowReview,
} from '../platform/jobs/failed-row-store.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { raiseTask, resolveTaskAutomatically } from './raise-task.ts'

/** The sweep over rows that have failed three times, have been processed since, or have not failed for a day. */
export function failedRowSweep(context: Context): Sweep {
  return dueRowSweep(context, failedRows, (key) => reviewFailedRow(context, key))
}

async function reviewFailedRow(context: Context, key: RowKey): Promise<void> {
  const row = await findFailedRow(context.database, key)
  if (row === undefined) {
    return
  }
  const overAt = row.lastFailedAt.add(OVER_AFTER)
  const isOver = Temporal.Instant.compare(context.clock.real(), overAt) >= 0
  if (row.succeededAt !== null || isOver) {
    const reason = isOver ? 'the row was deleted or is not due any more' : 'the row was processed'
    const subject = { partnerId: row.partnerId, kind: 'RowFails', subjectType: 'row', subjectId: row.id } as const
    await resolveTaskAutomatically(context, subject, reason)
    await deleteFailedRow(context.database, row)
  } else {
    if (row.failures >= FAILURES_BEFORE_TASK) {
      await raiseTask(context, taskOf(row))
    }
    await scheduleFailedRowReview(context.database, row, overAt)
  }
}

function taskOf({ partnerId, id, sweep, rowId, failures, error, firstFailedAt }: FailedRow) {
  const detail = { sweep, row: rowId, failures, error, since: firstFailedAt.toString() }
  return { partnerId, kind: 'RowFails', subjectType: 'row', subjectId: id, detail } as const
}

/** Counts the failing rows of each sweep; called before each scrape. */
export async function updateFailedRowMetrics({ database, metrics }: Context): Promise<void> {
  const counts = await countFailedRows(database)
  metrics.failedRows.reset()
  for (const { sweep, count } of counts) {
    metrics.failedRows.set({ sweep }, count)
  }
}
