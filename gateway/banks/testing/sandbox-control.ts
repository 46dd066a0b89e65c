/** What tests do to the sandbox bank behind everybody's back, over its control API. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { nextBankDay } from '../../countries/bank-days.ts'

/** Calls the control API; the answer is whatever it is. */
export type Control = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>

/** Early in the day, so that no cut-off has passed. */
const MORNING = '07:00'
const Clock = Type.Object({ now: Type.String() })

/** The control API of a bank whose pages are at an address. */
export function controlOf(pagesUrl: string): Control {
  return async (method, path, body) => {
    const answer = await fetch(`${pagesUrl}/control${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) {
      throw new Error(`The bank's control API answered ${answer.status}: ${await answer.text()}`)
    }
    return await answer.json()
  }
}

/** Some banks take nothing for days on which they are closed: business time moves to a day that is open everywhere. */
export async function waitForBankDay(control: Control): Promise<void> {
  const today = await businessDay(control, 'Europe/Oslo')
  const open = nextBankDay(['NO', 'SE', 'DK', 'FI'], today)
  if (!open.equals(today)) {
    const now = open.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: MORNING }).toInstant().toString()
    await control('POST', '/clock', { now })
  }
}

/** The bank's day. */
export async function businessDay(control: Control, timeZone: string): Promise<Temporal.PlainDate> {
  const { now } = Value.Parse(Clock, await control('GET', '/clock'))
  return Temporal.Instant.from(now).toZonedDateTimeISO(timeZone).toPlainDate()
}
