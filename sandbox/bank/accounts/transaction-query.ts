/** Parses the query of a transaction list: booking status, period and page. */
import { parseDay } from '../../../gateway/platform/clock.ts'
import { businessDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { type EntryCursor, HISTORY_DAYS } from '../ledger/account-store.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { errorUnless, throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'

const BOOKING_STATUSES = ['booked', 'pending', 'both', 'all'] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]

export type TransactionQuery = {
  readonly bookingStatus: BookingStatus
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
  /** The page number, from 1. */
  readonly page: number
  /** The last booked entry of the previous page; null on the first page. */
  readonly after: EntryCursor | null
  readonly withBalance: boolean
}

const PAGE = /^(\d{1,6})\.(\d{4}-\d{2}-\d{2})\.(\d{1,18})$/

/** Parses the query; rejects what the bank does not support. */
export function parseTransactionQuery(context: Context, { bank, query }: Xs2aCall): TransactionQuery {
  for (const name of ['deltaList', 'entryReferenceFrom']) {
    if (query[name] !== undefined) {
      throw xs2aError(400, 'PARAMETER_NOT_SUPPORTED', `The bank does not offer ${name}`, name)
    }
  }
  const today = businessDay(bank, context.clock.now())
  const bookingStatus = readBookingStatus(bank, query['bookingStatus'])
  const from = parseDay(query['dateFrom'] ?? '')
  const to = query['dateTo'] === undefined ? today : parseDay(query['dateTo'])
  const place = readPage(query['page'])
  throwIfAnyMessage([
    ...errorUnless(from !== undefined, 'dateFrom', 'dateFrom is mandatory, in the format YYYY-MM-DD'),
    ...errorUnless(to !== undefined, 'dateTo', 'dateTo has the format YYYY-MM-DD'),
    ...errorUnless(place !== undefined, 'page', 'Follow the link of the previous page'),
  ])
  if (from === undefined || to === undefined || place === undefined) {
    throw new Error('A query that passed every rule has no dates or page')
  }
  requirePeriod(from, to, today.subtract({ days: HISTORY_DAYS }))
  return { bookingStatus, from, to, ...place, withBalance: query['withBalance'] === 'true' }
}

export function formatTransactionQuery({
  bookingStatus,
  from,
  to,
}: TransactionQuery): Readonly<Record<string, string>> {
  return { bookingStatus, dateFrom: from.toString(), dateTo: to.toString() }
}

export function pageOf({ page }: Xs2aCall['query']): number {
  return Number(PAGE.exec(page ?? '')?.[1] ?? 1)
}

function readBookingStatus({ entries: { pending } }: BankProfile, text: string | undefined): BookingStatus {
  const status = BOOKING_STATUSES.find((one) => one === text)
  const isOffered = status === 'booked' || pending === 'together' || (pending === 'apart' && status === 'pending')
  if (status !== undefined && isOffered) {
    return status
  }
  if (status !== undefined) {
    throw xs2aError(400, 'PARAMETER_NOT_SUPPORTED', `The bank has no list of ${status} entries`, 'bookingStatus')
  }
  throw text === 'information'
    ? xs2aError(400, 'PARAMETER_NOT_SUPPORTED', 'The bank has no list of standing orders', 'bookingStatus')
    : xs2aError(400, 'FORMAT_ERROR', `bookingStatus is one of ${BOOKING_STATUSES.join(', ')}`, 'bookingStatus')
}

function requirePeriod(from: Temporal.PlainDate, to: Temporal.PlainDate, earliest: Temporal.PlainDate): void {
  if (Temporal.PlainDate.compare(from, to) > 0) {
    throw xs2aError(400, 'PERIOD_INVALID', 'dateFrom is after dateTo', 'dateFrom')
  }
  if (Temporal.PlainDate.compare(from, earliest) < 0) {
    throw xs2aError(400, 'PERIOD_INVALID', `The bank has transactions from ${earliest} on`, 'dateFrom')
  }
}

/** Where a page starts; empty for the first, undefined when it is not from a link of this bank. */
function readPage(text: string | undefined): Pick<TransactionQuery, 'page' | 'after'> | undefined {
  if (text === undefined) {
    return { page: 1, after: null }
  }
  const [, page, date = '', position] = PAGE.exec(text) ?? []
  const day = parseDay(date)
  return day === undefined || position === undefined
    ? undefined
    : { page: Number(page), after: { day, position: BigInt(position) } }
}
