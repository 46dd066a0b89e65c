/** Lists conversions by the time of their booking. */
import type { BookingWindow, Conversion } from '../conversion.ts'
import type { ApiRequest, SendRequest } from './client.ts'
import { withCancellation } from './conversions.ts'
import { instantOf } from './translate.ts'
import { readConversionPage } from './wire.ts'

const PAGE_ENTRIES = 50
/** Half a million conversions: the limit only stops an API that always returns a next page. */
const PAGES_MAX = 10_000

/** Times at the provider are whole seconds, so the window is extended to these. */
export async function* listConversionsBooked(
  send: SendRequest,
  { from, to }: BookingWindow,
): AsyncGenerator<readonly Conversion[], void, undefined> {
  const window = { from: wholeSecond(from, 'floor'), to: wholeSecond(to, 'ceil') }
  let page = 1
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { conversions, pagination } = await send(pageRequest(window, page), readConversionPage)
    const booked: Conversion[] = []
    for (const conversion of conversions) {
      if (isWithin(instantOf(conversion.created_at), window)) {
        booked.push(await withCancellation(send, conversion))
      }
    }
    yield booked
    if (pagination.next_page <= page) {
      return
    }
    page = pagination.next_page
  }
}

/** An API that ignored the filter would return other conversions. A time that cannot be parsed excludes nothing. */
function isWithin(at: Temporal.Instant | null, { from, to }: BookingWindow): boolean {
  return at === null || (Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0)
}

function wholeSecond(at: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return at.round({ smallestUnit: 'second', roundingMode })
}

function pageRequest({ from, to }: BookingWindow, page: number): ApiRequest {
  return {
    operation: 'listConversions',
    method: 'GET',
    path: '/conversions/find',
    fields: {
      created_at_from: from.toString(),
      created_at_to: to.toString(),
      order: 'created_at',
      order_asc_desc: 'asc',
      page: String(page),
      per_page: String(PAGE_ENTRIES),
    },
    effect: 'reads',
    urgency: 'patient',
  }
}
