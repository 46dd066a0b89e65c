/** Forgets quotes that nobody booked, whom they would have paid included. */
import type { Context } from '../context.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { forgetUnbooked, nextForgotten } from './quotes/quote-store.ts'

/** The sweep over quotes that are over. */
export function quoteSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  return {
    name: 'quotes',
    time: 'business',
    everyMilliseconds: NOBODY_WAITS_MILLISECONDS,
    nextDue: async () => await nextForgotten(database),
    run: async (limit) => await forgetUnbooked(database, clock.now(), limit),
  }
}
