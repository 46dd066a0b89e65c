/** Finds out which day it is for the server: by the clock of a sandbox, else by the header Date of its responses. */
import type { CheckContext } from '../check.ts'

/** Time zones of the banks of each country. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  NO: 'Europe/Oslo',
  SE: 'Europe/Stockholm',
  DK: 'Europe/Copenhagen',
  FI: 'Europe/Helsinki',
}
const WEEKEND = [6, 7]

/** Today at the banks of a country. */
export async function today(context: CheckContext, country = 'NO'): Promise<Temporal.PlainDate> {
  return (await serverTime(context)).toZonedDateTimeISO(TIME_ZONES[country] ?? 'UTC').toPlainDate()
}

/** The next day that is no Saturday or Sunday; it may be a holiday. */
export async function nextWeekday(context: CheckContext, country = 'NO'): Promise<Temporal.PlainDate> {
  let day = (await today(context, country)).add({ days: 1 })
  while (WEEKEND.includes(day.dayOfWeek)) {
    day = day.add({ days: 1 })
  }
  return day
}

/** Business time, which the clock of a sandbox moves. */
export async function serverTime(context: CheckContext): Promise<Temporal.Instant> {
  if (context.target.isSandbox) {
    return Temporal.Instant.from((await context.succeed('getSandboxClock')).now)
  }
  return await wallTime(context)
}

/** The time by which tokens and signatures are validated. */
export async function wallTime(context: CheckContext): Promise<Temporal.Instant> {
  const { headers } = await context.call('listPayments', { query: { limit: 1 } })
  return new Date(headers.get('date') ?? '').toTemporalInstant()
}
