/** Reads what a third party asks of an account's transactions: which, between which days, and which page. */
import { businessDay, parseDay } from '../bank-calendar.ts'
import type { BankContext } from '../context.ts'
import { formatProblem, refuse, requireNone } from '../refusal.ts'
import type { Xs2aCall } from '../xs2a/call.ts'
import type { EntryPlace } from './entry-store.ts'

const BOOKING_STATUSES = ['booked', 'pending', 'both', 'all'] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]

export type TransactionQuery = {
  readonly bookingStatus: BookingStatus
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
  /** The last booked entry of the page before; null on the first page. */
  readonly after: EntryPlace | null
  readonly withBalance: boolean
}

const PAGE = /^(\d{4}-\d{2}-\d{2})\.(\d{1,18})$/

/** Reads the query; refuses what the bank does not do. */
export function readTransactionQuery(context: BankContext, { bank, query }: Xs2aCall): TransactionQuery {
  for (const name of ['deltaList', 'entryReferenceFrom']) {
    if (query[name] !== undefined) {
      throw refuse(400, 'PARAMETER_NOT_SUPPORTED', `The bank does not offer ${name}`, name)
    }
  }
  const today = businessDay(bank, context.clock.now())
  const bookingStatus = readBookingStatus(query['bookingStatus'])
  const from = parseDay(query['dateFrom'] ?? '')
  const to = query['dateTo'] === undefined ? today : parseDay(query['dateTo'])
  const after = readPage(query['page'])
  requireNone([
    ...(from === undefined ? [formatProblem('dateFrom', 'dateFrom is mandatory, written YYYY-MM-DD')] : []),
    ...(to === undefined ? [formatProblem('dateTo', 'dateTo is written YYYY-MM-DD')] : []),
    ...(after === undefined ? [formatProblem('page', 'Follow the link of the page before')] : []),
  ])
  if (from === undefined || to === undefined || after === undefined) {
    throw new Error('A query that passed every rule has no dates or page')
  }
  requirePeriod(from, to, today.subtract({ days: bank.historyDays }))
  return { bookingStatus, from, to, after, withBalance: query['withBalance'] === 'true' }
}

function readBookingStatus(text: string | undefined): BookingStatus {
  const status = BOOKING_STATUSES.find((one) => one === text)
  if (status !== undefined) {
    return status
  }
  throw text === 'information'
    ? refuse(400, 'PARAMETER_NOT_SUPPORTED', 'The bank has no list of standing orders', 'bookingStatus')
    : refuse(400, 'FORMAT_ERROR', `bookingStatus is one of ${BOOKING_STATUSES.join(', ')}`, 'bookingStatus')
}

function requirePeriod(from: Temporal.PlainDate, to: Temporal.PlainDate, earliest: Temporal.PlainDate): void {
  if (Temporal.PlainDate.compare(from, to) > 0) {
    throw refuse(400, 'PERIOD_INVALID', 'dateFrom is after dateTo', 'dateFrom')
  }
  if (Temporal.PlainDate.compare(from, earliest) < 0) {
    throw refuse(400, 'PERIOD_INVALID', `The bank shows transactions from ${earliest} on`, 'dateFrom')
  }
}

/** The place a page goes on from; null for the first page, undefined when nobody was ever given such a link. */
function readPage(text: string | undefined): EntryPlace | null | undefined {
  if (text === undefined) {
    return null
  }
  const [, date = '', position] = PAGE.exec(text) ?? []
  const day = parseDay(date)
  return day === undefined || position === undefined ? undefined : { day, position: BigInt(position) }
}
