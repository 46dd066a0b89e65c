/** Fetches the reference rates of the European Central Bank, and keeps those of each day. */

import { BANK_FETCH_LIMITS } from '../../banks/transport/bank-call-limits.ts'
import { openBankAgents } from '../../banks/transport/bank-connection-pool.ts'
import { exchange } from '../../banks/transport/http-exchange.ts'
import type { Context } from '../../context.ts'
import { RatesUnreadable, readRateFile } from './ecb-rate-file.ts'
import { keepRates } from './reference-rate-store.ts'
import type { ReferenceRates } from './reference-rates.ts'

/** Nobody waits for it; what is late is fetched the next time. */
const LIMITS = { ...BANK_FETCH_LIMITS, callMilliseconds: 20_000, responseBytesMax: 100_000, connectionsPerHostMax: 1 }
/** The bank's files are public. */
const NO_IDENTITY = { qwac: null, authorities: null }
const OK = 200

/** Throws when nothing usable comes; what was kept before stays. */
export async function fetchReferenceRates({ database, clock }: Context, url: string): Promise<ReferenceRates> {
  const rates = readRateFile(await textAt(url))
  // A day of the future would be the newest for ever. Wall time: the bank knows nothing of a moved clock.
  const tomorrow = clock.real().toZonedDateTimeISO('Europe/Berlin').toPlainDate().add({ days: 1 })
  if (Temporal.PlainDate.compare(rates.day, tomorrow) > 0) {
    throw new RatesUnreadable(`${rates.day} is still to come`)
  }
  await keepRates(database, rates, clock.real())
  return rates
}

async function textAt(url: string): Promise<string> {
  const agents = openBankAgents(LIMITS, () => NO_IDENTITY)
  try {
    const headers = { accept: 'application/xml, text/xml' }
    const request = { operation: 'readReferenceRates', method: 'GET', url, headers } as const
    const { status, body } = await exchange(agents.current(), request, LIMITS)
    if (status !== OK) {
      throw new RatesUnreadable(`It is answered with HTTP ${status}`)
    }
    return body.toString()
  } finally {
    await agents.close()
  }
}
