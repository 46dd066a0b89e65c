/** Deletes rows in batches: a row that fails its batch is left out of the next ones, and stops no other row. */

import { errorCodeOf, isDatabaseUnavailable } from '../database/database-unavailable.ts'
import type { ProgramContext } from '../program-context.ts'
import { NO_PARTNER_ID, processRow } from './process-row.ts'

/** Which of the rows to be deleted, in a fixed order. */
export type BatchRange = { readonly limit: number; readonly offset: number }

export type BatchPurge = {
  /**
   * Deletes up to `limit` rows and returns how many. Each step of a sweep, such as one table, leaves out rows of its own.
   */
  run(step: string, limit: number, deleteBatch: (range: BatchRange) => Promise<number>): Promise<number>
}

/** More rows than this are no single rows that fail: the statement is wrong. */
const LEFT_OUT_MAX = 100
/** Syntax errors and missing privileges, tables and columns. */
const WRONG_STATEMENT = /^42/

/** How many of the first rows of a step are left out until when, because each of them failed. */
type LeftOut = { count: number; until: Temporal.Instant; hasFailed: boolean }

export function openBatchPurge(context: ProgramContext, sweep: string): BatchPurge {
  const steps = new Map<string, LeftOut>()
  return {
    run: async (step, limit, deleteBatch) => {
      const now = context.clock.real()
      const leftOut = steps.get(step) ?? { count: 0, until: now, hasFailed: false }
      steps.set(step, leftOut)
      leftOut.count = Temporal.Instant.compare(leftOut.until, now) > 0 ? leftOut.count : 0
      const { deleted, error } = await deleteWithout(leftOut, limit, deleteBatch)
      const isComplete = deleted === 0 && leftOut.count === 0
      if (error !== undefined || (isComplete && leftOut.hasFailed)) {
        const row = { sweep, partnerId: NO_PARTNER_ID, rowId: step, hasFailed: leftOut.hasFailed }
        const outcome = () => (error === undefined ? Promise.resolve() : Promise.reject(error))
        leftOut.hasFailed = !(await processRow(context, row, outcome, async (delay) => {
          leftOut.until = now.add(delay)
        }))
      }
      return deleted
    },
  }
}

/** Halves a failing batch down to the row that fails, leaves that one out, and goes on behind it. */
async function deleteWithout(
  leftOut: LeftOut,
  limit: number,
  deleteBatch: (range: BatchRange) => Promise<number>,
): Promise<{ readonly deleted: number; readonly error: unknown }> {
  let size = limit
  let first: unknown
  for (;;) {
    try {
      return { deleted: await deleteBatch({ limit: size, offset: leftOut.count }), error: first }
    } catch (error) {
      if (!isRowError(error) || leftOut.count >= LEFT_OUT_MAX) {
        throw error
      }
      first ??= error
      leftOut.count += size === 1 ? 1 : 0
      size = size === 1 ? limit : Math.ceil(size / 2)
    }
  }
}

/** Whether a statement failed because of a row that it touched. */
export function isRowError(error: unknown): boolean {
  const code = errorCodeOf(error)
  return code?.length === 5 && !WRONG_STATEMENT.test(code) && !isDatabaseUnavailable(error)
}
