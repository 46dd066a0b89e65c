/** Sets the clocks of a fresh database to a Monday morning on which all banks are open. */
import pg from 'pg'
import { nextBankDay } from '../../countries/bank-days.ts'

const EVERY_COUNTRY = ['NO', 'SE', 'DK', 'FI'] as const
const MONDAY = 1
/** Before every cut-off, and long before midnight, because tests advance the clock by hours. */
const OPEN_AT = 'T07:00:00Z'
const MORNING_MINUTES = 30

/** The start day of tests: the next Monday on which all banks are open. */
export const FIRST_DAY = firstDay(Temporal.Now.plainDateISO('Europe/Helsinki').add({ days: 1 }))
export const FIRST_MORNING = morningOf(FIRST_DAY)

function firstDay(from: Temporal.PlainDate): Temporal.PlainDate {
  const day = nextBankDay(EVERY_COUNTRY, from)
  return day.dayOfWeek === MONDAY ? day : firstDay(day.add({ days: 1 }))
}

/** The morning of the first day after the given one on which all banks are open. */
export function nextBankMorning(date: Temporal.PlainDate): Temporal.Instant {
  return morningOf(nextBankDay(EVERY_COUNTRY, date.add({ days: 1 })))
}

/** Whether it is such a morning, with time left before midnight and every cut-off. */
export function isBankMorning(now: Temporal.Instant): boolean {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const passed = now.since(morningOf(today)).total('minutes')
  return nextBankDay(EVERY_COUNTRY, today).equals(today) && passed >= 0 && passed < MORNING_MINUTES
}

/** Sets the clocks of the gateway and the sandbox bank before they start. */
export async function startOnBankDay(connectionString: string): Promise<void> {
  const offset = FIRST_MORNING.epochMilliseconds - Date.now()
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
