/** What several checks of a run share, created once and when it is first needed; waiting, and the server's day. */

import { setTimeout as delay } from 'node:timers/promises'
import type { CheckContext } from '../check.ts'

/** Returns it, creating it at the first call of a run. A failure is that of every check that needs it. */
export type Subject<Value> = (context: CheckContext) => Promise<Value>

export function subject<Value>(create: Subject<Value>): Subject<Value> {
  const created = new WeakMap<object, Promise<Value>>()
  return (context) => {
    const value = created.get(context.run) ?? create(context)
    created.set(context.run, value)
    return value
  }
}

const FIRST_PAUSE_MILLISECONDS = 50
const PAUSE_MILLISECONDS_MAX = 2_000

/** The first value that is as expected, or the last one when patience is at its end. */
export async function pollUntil<Value>(
  { target }: Pick<CheckContext, 'target'>,
  read: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
): Promise<Value> {
  const deadline = performance.now() + target.patienceSeconds * 1_000
  let pause = FIRST_PAUSE_MILLISECONDS
  let value = await read()
  while (!isExpected(value) && performance.now() < deadline) {
    await delay(pause)
    pause = Math.min(pause * 2, PAUSE_MILLISECONDS_MAX)
    value = await read()
  }
  return value
}

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
