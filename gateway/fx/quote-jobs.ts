/** Forgets quotes that nobody booked, whom they would have paid included. */
import type { Context } from '../context.ts'
import type { Sweep } from '../foundation/sweeps.ts'
import { forgetUnbooked, oldestUnbooked } from './quote-store.ts'

/** Money that comes for a quote that is long over is still known by it, and sent back. */
const KEPT = { hours: 24 * 30 }

/** The sweep over quotes that are over. */
export function quoteSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  return {
    name: 'quotes',
    time: 'business',
    nextDue: async () => (await oldestUnbooked(database))?.add(KEPT) ?? null,
    run: async (limit) => await forgetUnbooked(database, clock.now().subtract(KEPT), limit),
  }
}
