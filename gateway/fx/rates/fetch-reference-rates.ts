/** Fetches the reference rates of the European Central Bank and stores them by day. */

import { BANK_CALL_LIMITS } from '../../banks/transport/bank-call-limits.ts'
import { NO_IDENTITY, openBankConnectionPool } from '../../banks/transport/bank-connection-pool.ts'
import { exchange } from '../../banks/transport/http-exchange.ts'
import type { Context } from '../../context.ts'
import { parseRateFile, UnreadableRateFile } from './ecb-rate-file.ts'
import { insertReferenceRates } from './reference-rate-store.ts'
import type { ReferenceRates } from './reference-rates.ts'

/** A background job: a failed fetch is repeated later. */
const LIMITS = { ...BANK_CALL_LIMITS, callMilliseconds: 20_000, responseBytesMax: 100_000, connectionsPerHostMax: 1 }
const OK = 200

/** Throws when the file cannot be fetched or parsed; stored rates stay. */
export async function fetchReferenceRates({ database, clock }: Context, url: string): Promise<ReferenceRates> {
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
