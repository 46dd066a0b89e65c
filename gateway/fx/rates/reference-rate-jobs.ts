/** Sweep that fetches reference rates a few times a day, if a URL is configured. */
import type { Context } from '../../context.ts'
import { attemptOf, NO_PARTNER_ID, processRow } from '../../platform/jobs/process-row.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import { fetchReferenceRates } from './fetch-reference-rates.ts'
import {
  claimReferenceRateFetch,
  nextReferenceRateFetchAt,
  postponeReferenceRateFetch,
} from './reference-rate-store.ts'

/** Rates are published once a day at about 16:00 CET; they are fetched at most six hours later. */
const FETCH_INTERVAL = { hours: 6 }
const RETRY_INTERVAL = { minutes: 15 }

const REFERENCE_RATES = 'reference rates'

/** Due when the stored time of the next fetch has come. */
export function referenceRateSweep(context: Context): Sweep {
  const { config, clock, database, log } = context
  const url = config.referenceRatesUrl
  return {
    name: REFERENCE_RATES,
    time: 'wall',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => (url === null ? null : await nextReferenceRateFetchAt(database)),
    run: async () => {
      const now = clock.real()
      if (url === null || !(await claimReferenceRateFetch(database, { now, next: now.add(RETRY_INTERVAL) }))) {
        return 0
      }
      // After a failure it is fetched again at the claimed time; the stored rates are used until they are too old.
      await processRow(
        context,
        await attemptOf(context, { sweep: REFERENCE_RATES, partnerId: NO_PARTNER_ID, rowId: url }),
        async () => {
          const { day } = await fetchReferenceRates(context, url)
          await postponeReferenceRateFetch(database, now.add(FETCH_INTERVAL))
          log.info({ day: day.toString() }, 'reference rates fetched')
        },
        async () => undefined,
      )
      return 1
    },
  }
}
