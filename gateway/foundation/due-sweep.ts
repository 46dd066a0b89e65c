/** Makes the sweep over rows that wait for a time: claims the due ones under a lease, and sees to each beside the others. */
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { type Counts, count } from '../platform/keyed-counts.ts'
import { claimRows, type DueRows, earliestDue, earliestDueStatement, type RowKey, recallRows } from './due-rows.ts'
import type { Sweep } from './sweep.ts'

/** How many rows of a sweep may be under way in a process before no more are claimed. */
export type Places = {
  /** Of one share; the rest of the bank's places belongs to users who wait. */
  readonly perShare: number
  /** Of one share once the others together have taken all: a share that is held up must not stop any other. */
  readonly perShareAtLeast: number
  /** Of all shares; each of them holds a payment and a call to its bank in memory. */
  readonly together: number
}

const PLACES: Places = { perShare: 50, perShareAtLeast: 5, together: 1_000 }

type Surroundings = { readonly database: Database<unknown>; readonly clock: Clock }

/** Whoever sees to a row must move its time on; else it comes again after the lease. */
export function dueSweep(
  surroundings: Surroundings,
  rows: DueRows,
  seeTo: (key: RowKey) => Promise<void>,
  places: Places = PLACES,
): Sweep & Required<Pick<Sweep, 'begin'>> {
  const { database, clock } = surroundings
  const taken: Counts = new Map()
  const begin = async (limit: number) => {
    const claimed = await claimRows(surroundings, rows, placesLeft(taken, places, limit))
    return claimed.map(async ({ share, ...key }) => {
      count(taken, share, 1)
      try {
        await seeTo(key)
      } finally {
        count(taken, share, -1)
      }
    })
  }
  const { name, time, everyMilliseconds, toleranceMilliseconds } = rows
  return {
    name,
    time,
    ...(everyMilliseconds === undefined ? {} : { everyMilliseconds }),
    ...(toleranceMilliseconds === undefined ? {} : { toleranceMilliseconds }),
    nextDue: () => earliestDue(database, rows),
    dueStatement: earliestDueStatement(rows),
    recall: () => recallRows(database, rows, clock.now()),
    begin,
    run: async (limit) => await allOf(await begin(limit)),
  }
}

/** So many rows may be claimed now, and so many of each share; those that have none under way are not in the map. */
function placesLeft(taken: ReadonlyMap<string, number>, places: Places, limit: number) {
  const together = [...taken.values()].reduce((sum, counted) => sum + counted, 0)
  const left = places.together - together
  const perShare = left > 0 ? places.perShare : places.perShareAtLeast
  const byShare = new Map([...taken].map(([share, counted]) => [share, Math.max(0, perShare - counted)]))
  return { limit: left > 0 ? Math.min(limit, left) : limit, perShare, byShare }
}

/** How many there were, once all have been seen to. */
async function allOf(begun: readonly Promise<void>[]): Promise<number> {
  const outcomes = await Promise.allSettled(begun)
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    throw failed.reason
  }
  return begun.length
}
