/** Creates the sweep over rows with a due time: claims the due ones under a lease and processes them concurrently. */

import { adjustCount, type KeyedCounts } from '../collections.ts'
import type { ProgramContext } from '../program-context.ts'
import {
  areClaimableRowsLocked,
  claimRows,
  type DueRowSource,
  earliestDueTimeQuery,
  findEarliestDueTime,
  pullForwardFutureRows,
  putBackRow,
  type RowKey,
} from './due-row-scan.ts'
import { openLeaseRenewal } from './lease-renewal.ts'
import { processRow } from './process-row.ts'
import type { Sweep } from './sweep.ts'

/** In-flight limits of a sweep in one process; no more rows are claimed when they are reached. */
export type InFlightLimits = {
  /** Per partition; the rest of the bank's capacity belongs to users who wait. */
  readonly perPartition: number
  /** Per partition once the total is reached: a stalled partition must not stop any other. */
  readonly perPartitionMin: number
  /** Over all partitions; each row holds a payment and a call to its bank in memory. */
  readonly together: number
}

const DEFAULT_IN_FLIGHT_LIMITS: InFlightLimits = { perPartition: 50, perPartitionMin: 5, together: 1_000 }

/**
 * Processing must advance the row's due time; otherwise the row is claimed again after the lease. A row that fails is put
 * back; the sweep fails only without a database.
 */
export function dueRowSweep(
  context: ProgramContext,
  rows: DueRowSource,
  process: (key: RowKey) => Promise<void>,
  limits: InFlightLimits = DEFAULT_IN_FLIGHT_LIMITS,
): Sweep & Required<Pick<Sweep, 'begin'>> {
  const { database, clock } = context
  const inFlight: KeyedCounts = new Map()
  const leases = openLeaseRenewal(context, rows)
  const begin = async (limit: number) => {
    const claimed = await claimRows(context, rows, remainingLimits(inFlight, limits, limit))
    return claimed.map(async ({ partition, hasFailed, ...row }) => {
      const { partnerId, id } = row
      adjustCount(inFlight, partition, 1)
      try {
        await leases.whileLeased(row, async (leased) => {
          await processRow(
            context,
            { sweep: rows.name, partnerId, rowId: id, hasFailed },
            () => process({ partnerId, id }),
            (delay) => putBackRow(context, rows, leased, delay),
          )
        })
      } finally {
        adjustCount(inFlight, partition, -1)
      }
    })
  }
  const { name, time, everyMilliseconds, toleranceMilliseconds } = rows
  return {
    name,
    time,
    everyMilliseconds,
    toleranceMilliseconds,
    nextDue: () => findEarliestDueTime(database, rows),
    dueStatement: earliestDueTimeQuery(rows),
    recall: () => pullForwardFutureRows(database, rows, clock.now()),
    begin,
    run: async (limit) => {
      let begun = await begin(limit)
      while (
        begun.length === 0 &&
        (await areClaimableRowsLocked(context, rows, remainingLimits(inFlight, limits, limit)))
      ) {
        begun = await begin(limit)
      }
      return await waitForAll(begun)
    },
  }
}

/**
 * How many rows may be claimed now, in total and per partition; partitions without rows in flight are not in the map.
 */
function remainingLimits(inFlight: ReadonlyMap<string, number>, limits: InFlightLimits, limit: number) {
  const together = [...inFlight.values()].reduce((sum, counted) => sum + counted, 0)
  const left = limits.together - together
  const perPartition = left > 0 ? limits.perPartition : limits.perPartitionMin
  const byPartition = new Map(
    [...inFlight].map(([partition, counted]) => [partition, Math.max(0, perPartition - counted)]),
  )
  return { limit: left > 0 ? Math.min(limit, left) : limit, perPartition, byPartition }
}

/** The number of rows, once all have been processed. */
async function waitForAll(begun: readonly Promise<void>[]): Promise<number> {
  const outcomes = await Promise.allSettled(begun)
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    throw failed.reason
  }
  return begun.length
}
