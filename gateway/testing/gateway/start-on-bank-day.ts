/** Sets the clocks of a fresh database to a Monday morning on which all banks are open: no test depends on day or hour. */
import pg from 'pg'
import { nextBankDay } from '../../countries/bank-days.ts'

const EVERY_COUNTRY = ['NO', 'SE', 'DK', 'FI'] as const
const MONDAY = 1
/** Before every cut-off, and long before midnight: tests let hours pass. */
const OPEN_AT = 'T07:00:00Z'

/** The day on which tests begin: the first Monday to come on which all banks are open. */
export const FIRST_DAY = firstDay(Temporal.Now.plainDateISO('Europe/Helsinki').add({ days: 1 }))

function firstDay(from: Temporal.PlainDate): Temporal.PlainDate {
  const day = nextBankDay(EVERY_COUNTRY, from)
  return day.dayOfWeek === MONDAY ? day : firstDay(day.add({ days: 1 }))
}

/** The first morning after a day on which all banks are open. */
export function bankMorningAfter(date: Temporal.PlainDate): Temporal.Instant {
  return morningOf(nextBankDay(EVERY_COUNTRY, date.add({ days: 1 })))
}

/** Sets the clocks of the gateway and of the sandbox bank before either has started. */
export async function beginOnBankMorning(connectionString: string): Promise<void> {
  const offset = morningOf(FIRST_DAY).epochMilliseconds - Date.now()
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('update business_clock set offset_milliseconds = $1', [offset])
    await client.query('update sandbox_bank.clock set offset_milliseconds = $1', [offset])
  } finally {
    await client.end()
  }
}

function morningOf(day: Temporal.PlainDate): Temporal.Instant {
  return Temporal.Instant.from(`${day}${OPEN_AT}`)
}
