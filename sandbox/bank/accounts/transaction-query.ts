/** Reads what a third party asks of an account's transactions: which, between which days, and which page. */
import { businessDay, parseDay } from '../bank-calendar.ts'
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { formatProblem, refuse, requireNone } from '../refusal.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import type { EntryPlace } from './entry-store.ts'

const BOOKING_STATUSES = ['booked', 'pending', 'both', 'all'] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]

export type TransactionQuery = {
  readonly bookingStatus: BookingStatus
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
  /** Which page of the list it is, from 1 on. */
  readonly page: number
  /** The last booked entry of the page before; null on the first page. */
  readonly after: EntryPlace | null
  readonly withBalance: boolean
}

const PAGE = /^(\d{1,6})\.(\d{4}-\d{2}-\d{2})\.(\d{1,18})$/

/** Reads the query; refuses what the bank does not do. */
export function readTransactionQuery(context: BankContext, { bank, query }: Xs2aCall): TransactionQuery {
  for (const name of ['deltaList', 'entryReferenceFrom']) {
    if (query[name] !== undefined) {
      throw refuse(400, 'PARAMETER_NOT_SUPPORTED', `The bank does not offer ${name}`, name)
    }
  }
  const today = businessDay(bank, context.clock.now())
  const bookingStatus = readBookingStatus(bank, query['bookingStatus'])
  const from = parseDay(query['dateFrom'] ?? '')
  const to = query['dateTo'] === undefined ? today : parseDay(query['dateTo'])
  const place = readPage(query['page'])
  requireNone([
    ...(from === undefined ? [formatProblem('dateFrom', 'dateFrom is mandatory, written YYYY-MM-DD')] : []),
    ...(to === undefined ? [formatProblem('dateTo', 'dateTo is written YYYY-MM-DD')] : []),
    ...(place === undefined ? [formatProblem('page', 'Follow the link of the page before')] : []),
  ])
  if (from === undefined || to === undefined || place === undefined) {
    throw new Error('A query that passed every rule has no dates or page')
  }
  requirePeriod(from, to, today.subtract({ days: bank.historyDays }))
  return { bookingStatus, from, to, ...place, withBalance: query['withBalance'] === 'true' }
}

/** The query again, as it stands in links. */
export function printQuery({ bookingStatus, from, to }: TransactionQuery): Readonly<Record<string, string>> {
  return { bookingStatus, dateFrom: from.toString(), dateTo: to.toString() }
}

/** The number of the page that a call asks for. */
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
    throw refuse(400, 'PARAMETER_NOT_SUPPORTED', `The bank has no list of ${status} entries`, 'bookingStatus')
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

/** Where a page goes on; nowhere for the first, undefined when nobody was ever given such a link. */
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
