/** Finds out which day it is for the server: by the clock of a sandbox, else by the header Date of its responses. */
import type { CheckContext } from '../check.ts'

/** Time zones of the banks of each country. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  NO: 'Europe/Oslo',
  SE: 'Europe/Stockholm',
  DK: 'Europe/Copenhagen',
  FI: 'Europe/Helsinki',
}

/** Today at the banks of a country. */
export async function today(context: CheckContext, country = 'NO'): Promise<Temporal.PlainDate> {
  return (await serverTime(context)).toZonedDateTimeISO(TIME_ZONES[country] ?? 'UTC').toPlainDate()
}

async function serverTime(context: CheckContext): Promise<Temporal.Instant> {
  if (context.target.isSandbox) {
    return Temporal.Instant.from((await context.succeed('getSandboxClock')).now)
  }
  const { headers } = await context.call('listPayments', { query: { limit: 1 } })
  return new Date(headers.get('date') ?? '').toTemporalInstant()
}
