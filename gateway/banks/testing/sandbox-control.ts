/** Calls the sandbox bank's control API in tests. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { nextBankDay } from '../../countries/bank-days.ts'

/** Calls the control API and returns its parsed answer. */
export type Control = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>

/** Before every cut-off. */
const MORNING = '07:00'
const Clock = Type.Object({ now: Type.String() })

/** The control API of the bank at an address. */
export function controlClient(pagesUrl: string): Control {
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

/** Moves business time to a day on which all banks are open, because some banks reject orders for closed days. */
export async function waitForBankDay(control: Control): Promise<void> {
  const today = await businessDay(control, 'Europe/Oslo')
  const open = nextBankDay(['NO', 'SE', 'DK', 'FI'], today)
  if (!open.equals(today)) {
    const now = open.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: MORNING }).toInstant().toString()
    await control('POST', '/clock', { now })
  }
}

/** The bank's business day. */
export async function businessDay(control: Control, timeZone: string): Promise<Temporal.PlainDate> {
  const { now } = Value.Parse(Clock, await control('GET', '/clock'))
  return Temporal.Instant.from(now).toZonedDateTimeISO(timeZone).toPlainDate()
}
