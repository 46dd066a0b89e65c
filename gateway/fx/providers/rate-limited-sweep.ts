/** Limits a sweep to a rate that all processes share: it claims no more rows than it has permits. */
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { acquireSweepPermits, ensureProvider, releaseSweepPermits, type SweepRate } from './provider-store.ts'

type Dependencies = { readonly database: Queryable; readonly clock: Clock }

/** Permits are acquired before rows are claimed; unused ones are released. */
export function rateLimitedSweep(
  { database, clock }: Dependencies,
  { name, pace }: { readonly name: string; readonly pace: SweepRate },
  sweep: Sweep & Required<Pick<Sweep, 'begin'>>,
): Sweep {
  const acquireForDueRows = async (wanted: number): Promise<number> => {
    const due = await sweep.nextDue()
    if (due === null || Temporal.Instant.compare(due, clock.now()) > 0) {
      return 0
    }
    const real = clock.real()
    await ensureProvider(database, name, real)
    return await acquireSweepPermits(database, name, { wanted, real, pace })
  }
  const begin = async (limit: number) => {
    const permits = await acquireForDueRows(limit)
    const begun = permits === 0 ? [] : await sweep.begin(permits)
    if (begun.length < permits) {
      // Prevents an unhandled rejection while the permits are released; the caller awaits the rows after that.
      void Promise.allSettled(begun)
      await releaseSweepPermits(database, name, { unused: permits - begun.length, pace })
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
