/** Lists sweeps with what is due next, for operators. */

import type { Clock } from '../clock.ts'
import { mapWithConcurrency } from '../map-with-concurrency.ts'
import type { Sweep } from './sweep.ts'

export type SweepState = {
  readonly name: string
  /** Of which clock its times are. */
  readonly time: Sweep['time']
  /** When the next row is due; null when none waits. */
  readonly nextDue: Temporal.Instant | null
  /** Since when the next row is due, if it is. */
  readonly dueSince: Temporal.Instant | null
}

const AT_ONCE = 4

/** In the order of the sweeps. Each costs the index look-up that workers repeat all the time. */
export async function listSweepStates(
  { clock }: { readonly clock: Clock },
  sweeps: readonly Sweep[],
): Promise<readonly SweepState[]> {
  return await mapWithConcurrency(sweeps, AT_ONCE, async ({ name, time, nextDue }) => {
    const next = await nextDue()
    const now = time === 'business' ? clock.now() : clock.real()
    const isDue = next !== null && Temporal.Instant.compare(next, now) <= 0
    return { name, time, nextDue: next, dueSince: isDue ? next : null }
  })
}
