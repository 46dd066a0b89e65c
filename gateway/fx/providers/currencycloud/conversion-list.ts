/** Lists conversions by the time of their booking. */
import type { BookingWindow, Conversion } from '../conversion.ts'
import { listPages, type SendRequest } from './client.ts'
import { withCancellation } from './conversions.ts'
import { instantOf } from './translate.ts'
import { readConversionPage } from './wire.ts'

/** Times at the provider are whole seconds, so the window is extended to these. */
export async function* listConversionsBooked(
  send: SendRequest,
  { from, to }: BookingWindow,
): AsyncGenerator<readonly Conversion[], void, undefined> {
  const window = { from: wholeSecond(from, 'floor'), to: wholeSecond(to, 'ceil') }
  const apiRequest = {
    operation: 'listConversions',
    method: 'GET',
    path: '/conversions/find',
    fields: { created_at_from: window.from.toString(), created_at_to: window.to.toString() },
    effect: 'reads',
    urgency: 'patient',
    orderedBy: 'created_at',
  } as const
  for await (const { conversions } of listPages(send, apiRequest, readConversionPage)) {
    const booked: Conversion[] = []
    for (const conversion of conversions) {
      if (isWithin(instantOf(conversion.created_at), window)) {
        booked.push(await withCancellation(send, conversion))
      }
    }
    yield booked
  }
}

/** An API that ignored the filter would return other conversions. A time that cannot be parsed excludes nothing. */
function isWithin(at: Temporal.Instant | null, { from, to }: BookingWindow): boolean {
  return at === null || (Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0)
}

function wholeSecond(at: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return at.round({ smallestUnit: 'second', roundingMode })
}
