/** Sweep that fetches reference rates a few times a day, if a URL is configured. */

import { BANK_CALL_LIMITS } from '../../banks/transport/bank-call-limits.ts'
import { NO_IDENTITY, openBankConnectionPool } from '../../banks/transport/bank-http-client.ts'
import { exchange } from '../../banks/transport/http-exchange.ts'
import type { Context } from '../../context.ts'
import { attemptOf, NO_PARTNER_ID, processRow } from '../../platform/jobs/process-row.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import { parseRateFile, type ReferenceRates, UnreadableRateFile } from './ecb-rate-file.ts'
import {
  claimReferenceRateFetch,
  insertReferenceRates,
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

/** A background job: a failed fetch is repeated later. */
const LIMITS = { ...BANK_CALL_LIMITS, callMilliseconds: 20_000, responseBytesMax: 100_000, connectionsPerHostMax: 1 }
const OK = 200

/** Throws when the file cannot be fetched or parsed; stored rates stay. */
async function fetchReferenceRates({ database, clock }: Context, url: string): Promise<ReferenceRates> {
  const rates = parseRateFile(await textAt(url))
  // A future day would stay the newest. Wall time, because the ECB does not follow the settable clock.
  const tomorrow = clock.real().toZonedDateTimeISO('Europe/Berlin').toPlainDate().add({ days: 1 })
  if (Temporal.PlainDate.compare(rates.day, tomorrow) > 0) {
    throw new UnreadableRateFile(`The date of the file, ${rates.day}, is in the future`)
  }
  await insertReferenceRates(database, rates, clock.real())
  return rates
}

async function textAt(url: string): Promise<string> {
  const agents = openBankConnectionPool(LIMITS)
  try {
    const headers = { accept: 'application/xml, text/xml' }
    const request = { operation: 'readReferenceRates', method: 'GET', url, headers } as const
    const { status, body } = await exchange(agents.dispatcherOf(NO_IDENTITY), request, LIMITS)
    if (status !== OK) {
      throw new UnreadableRateFile(`The server answered with HTTP ${status}`)
    }
    return body.toString()
  } finally {
    await agents.close()
  }
}
