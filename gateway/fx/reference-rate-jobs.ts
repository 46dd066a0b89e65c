/** Fetches reference rates a few times a day, where an address of them is configured. */
import type { Context } from '../context.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { fetchReferenceRates } from './rates/fetch-reference-rates.ts'
import { nextFetch, putOffFetch, takeFetch } from './rates/reference-rate-store.ts'

/** Rates come once a day, about 16:00; six hours later at most they are here. */
const AGAIN = { hours: 6 }
const AFTER_FAILURE = { minutes: 15 }

/** The sweep over what there is to fetch: one file. */
export function referenceRateSweep(context: Context): Sweep {
  const { config, clock, database, log } = context
  const url = config.referenceRatesUrl
  return {
    name: 'reference rates',
    time: 'wall',
    everyMilliseconds: NOBODY_WAITS_MILLISECONDS,
    nextDue: async () => (url === null ? null : await nextFetch(database)),
    run: async () => {
      const now = clock.real()
      if (url === null || !(await takeFetch(database, { now, next: now.add(AFTER_FAILURE) }))) {
        return 0
      }
      try {
        const { day } = await fetchReferenceRates(context, url)
        await putOffFetch(database, now.add(AGAIN))
        log.info({ day: day.toString() }, 'reference rates were fetched')
      } catch (error) {
        log.warn({ error }, 'reference rates could not be fetched; those of before are used until they are too old')
      }
      return 1
    },
  }
}
