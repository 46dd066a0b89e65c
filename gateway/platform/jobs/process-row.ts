/** Processes one row of a sweep: when that fails, the row is put back with a growing delay and stops no other row. */

import { isDatabaseUnavailable, isStatementTimeout } from '../database/database-unavailable.ts'
import type { ProgramContext } from '../program-context.ts'
import { listRetryTimes, recordRowFailure, recordRowSuccess, type SweepRow } from './failed-row-store.ts'

/** A row, and whether it has failed since it was last processed. */
export type AttemptedRow = SweepRow & { readonly hasFailed: boolean }

/** The partner id of rows that belong to no partner. */
export const NO_PARTNER_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns whether the row was processed. A failure is counted, and logged the first time; `putBack` makes the row due
 * after the delay. Throws only when the database is unavailable: that is no row's fault, and the row stays as it is. A
 * statement that takes too long may be the fault of its row; when it is the database's, putting the row back fails, too.
 */
export async function processRow(
  context: ProgramContext,
  { hasFailed, ...row }: AttemptedRow,
  work: () => Promise<unknown>,
  putBack: (delay: { readonly seconds: number }) => Promise<unknown>,
): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    if (isDatabaseUnavailable(error) && !isStatementTimeout(error)) {
      throw error
    }
    await recordFailure(context, row, error, putBack)
    return false
  }
  if (hasFailed) {
    await recordRowSuccess(context.database, row, context.clock.real())
    context.log.info(row, 'a row of a sweep that had failed was processed')
  }
  return true
}

/** A row of a sweep without claims, with whether it has failed since it was last processed. */
export async function attemptOf({ database }: ProgramContext, row: SweepRow): Promise<AttemptedRow> {
  return { ...row, hasFailed: (await listRetryTimes(database, row, [row.rowId])).size > 0 }
}

async function recordFailure(
  { database, clock, log, metrics }: ProgramContext,
  row: SweepRow,
  error: unknown,
  putBack: (delay: { readonly seconds: number }) => Promise<unknown>,
): Promise<void> {
  const { failures, seconds } = await recordRowFailure(database, row, { error: nameOf(error), at: clock.real() })
  metrics.sweepFailures.inc({ sweep: row.sweep })
  if (failures === 1) {
    log.error({ ...row, error }, 'a row of a sweep failed; it is retried with growing delays')
  }
  await putBack({ seconds })
}

/** Without the message, which may contain values of the row. */
function nameOf(error: unknown): string {
  const { name, code } =
    error instanceof Error ? { code: undefined, ...error, name: error.name } : { name: typeof error, code: undefined }
  return typeof code === 'string' ? `${name} ${code}` : name
}
