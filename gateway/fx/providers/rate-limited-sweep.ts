/** Keeps a sweep to a pace that all processes share: it claims no more rows than there are turns. */

import type { Sweep } from '../../foundation/sweep.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { ensureProvider, type Pace, returnTurns, takeTurns } from './provider-store.ts'

type Surroundings = { readonly database: Queryable; readonly clock: Clock }

/** Turns are taken before rows are claimed, and those that found no row are given back. */
export function pacedSweep(
  { database, clock }: Surroundings,
  { name, pace }: { readonly name: string; readonly pace: Pace },
  sweep: Sweep & Required<Pick<Sweep, 'begin'>>,
): Sweep {
  const takeForDue = async (wanted: number): Promise<number> => {
    const due = await sweep.nextDue()
    if (due === null || Temporal.Instant.compare(due, clock.now()) > 0) {
      return 0
    }
    const real = clock.real()
    await ensureProvider(database, name, real)
    return await takeTurns(database, name, { wanted, real, pace })
  }
  const begin = async (limit: number) => {
    const turns = await takeForDue(limit)
    const begun = turns === 0 ? [] : await sweep.begin(turns)
    if (begun.length < turns) {
      // A row that fails meanwhile is for whoever waits for the rows, and nobody does yet.
      void Promise.allSettled(begun)
      await returnTurns(database, name, { unused: turns - begun.length, pace })
    }
    return begun
  }
  const run = async (limit: number) => {
    const begun = await begin(limit)
    await Promise.allSettled(begun)
    await Promise.all(begun)
    return begun.length
  }
  return { ...sweep, begin, run }
}
