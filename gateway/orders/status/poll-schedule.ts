/** Computes when a payment is polled next: from seconds after signing up to hours, and rarely once it is final. */
import { hash } from 'node:crypto'
import type { Bank } from '../../banks/connector/bank.ts'
import { addBankDays, type CalendarName, calendarOf } from '../../countries/bank-days.ts'
import { isFinalStatus, type Payment, permits } from '../payment.ts'

/** The scan for payments that are due for polling. */
export const polling = {
  table: 'payments',
  partition: 'bic',
  name: 'payment polling',
  column: 'poll_at',
  time: 'business',
  toleranceMilliseconds: 7_200_000,
} as const

/** The properties on which the schedule depends. `pollStep` counts the polls since the last change. */
export type Polled = Pick<Payment, 'id' | 'status' | 'signed' | 'pollStep' | 'finalSince' | 'dueDate'> & {
  readonly type?: Payment['type']
  /** The execution day, where it is known to differ from the due date. */
  readonly executesOn?: Temporal.PlainDate
}

/** The properties of a bank on which the schedule depends. */
export type PollTerms = {
  readonly calendars: readonly CalendarName[]
  readonly timeZone: string
  /** The minimum interval between two polls. */
  readonly secondsMin: number
}

/** After signing and after any change; within the first 15 s no change is seen later than 3 s after it happened. */
const SIGNED_SECONDS = [1, 1, 1, 2, 2, 2, 2, 2, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]
/** Before the due date only a cancellation is likely, and days after it operators take over. */
const SLOW_SECONDS = 21_600
/** Unsigned orders may be signed or deleted in the online bank. */
const UNSIGNED_SECONDS = [60, 300, 900, 3600, 10_800, 21_600]
/** Banks reverse some payments after a final status. */
const FINAL_SECONDS = [3600, 14_400, 43_200, 86_400, 172_800]
const FINAL_WATCHED_BANK_DAYS = 10
/** Returns from abroad pass several banks. */
const FINAL_WATCHED_ABROAD_BANK_DAYS = 30
/** After this many bank days without a final status, none is expected within the hour. */
const OVERDUE_BANK_DAYS = 2
/** Delays are longer by up to this share, depending on the payment, so that polls do not stay synchronised. */
const JITTER_SHARE = 0.1
/** Polls of orders that become due are spread over this time. */
const DAY_BEGINS_WITHIN_SECONDS = 3600

/** Returns the terms of a bank, or defaults for an unknown bank. */
export function pollTermsOf(bank: Bank | undefined): PollTerms {
  return {
    calendars: [bank === undefined ? 'TARGET' : calendarOf(bank.countryCode)],
    timeZone: bank?.profile.timeZone ?? 'UTC',
    secondsMin: bank?.profile.pollSecondsMin ?? 1,
  }
}

/**
 * Returns the time of the next poll, or null when no change is expected. Where one poll covers only a part, polls are
 * so much more frequent that `readings` of them fit into the usual interval.
 */
export function nextPoll(
  polled: Polled,
  now: Temporal.Instant,
  terms: PollTerms,
  readings = 1,
): Temporal.Instant | null {
  const next = isFinalStatus(polled.status) ? nextFinalPoll(polled, now, terms) : nextOpenPoll(polled, now, terms)
  if (next === null || readings === 1) {
    return next
  }
  const milliseconds = Math.max(terms.secondsMin * 1000, next.since(now).total('milliseconds') / readings)
  return now.add({ milliseconds: Math.round(milliseconds) })
}

/** Whether a payment is open so long after its execution day that operators are notified. */
export function isOverdue(
  executesOn: Temporal.PlainDate,
  now: Temporal.Instant,
  { calendars, timeZone }: Pick<PollTerms, 'calendars' | 'timeZone'>,
): boolean {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  return Temporal.PlainDate.compare(today, addBankDays(calendars, executesOn, OVERDUE_BANK_DAYS)) > 0
}

function nextFinalPoll(polled: Polled, now: Temporal.Instant, terms: PollTerms): Temporal.Instant | null {
  const since = (polled.finalSince ?? now).toZonedDateTimeISO(terms.timeZone).toPlainDate()
  const bankDays = polled.type === 'CrossBorder' ? FINAL_WATCHED_ABROAD_BANK_DAYS : FINAL_WATCHED_BANK_DAYS
  const polledUntil = addBankDays(terms.calendars, since, bankDays).add({ days: 1 }).toZonedDateTime(terms.timeZone)
  const next = later(polled, now, FINAL_SECONDS, terms)
  return Temporal.Instant.compare(next, polledUntil.toInstant()) > 0 ? null : next
}

/**
 * Not later than shortly after the start of the day that decides: that of the execution or, for an order that awaits a
 * signature, the one after the due day, when it is cancelled.
 */
function nextOpenPoll(polled: Polled, now: Temporal.Instant, terms: PollTerms): Temporal.Instant {
  const { id, status, signed, pollStep, dueDate, executesOn = dueDate } = polled
  // An order that awaits a further signature was signed by another user a moment ago.
  const isQuiet = permits({ status, statusReason: null, signed }, 'approve')
  const day = isQuiet ? dueDate.add({ days: 1 }) : executesOn
  const begins = day.toZonedDateTime(terms.timeZone).toInstant()
  const isSlow =
    pollStep >= SIGNED_SECONDS.length - 1 && (Temporal.Instant.compare(now, begins) < 0 || isOverdue(day, now, terms))
  const signedSeconds = isSlow ? [SLOW_SECONDS] : SIGNED_SECONDS
  const next = later(polled, now, isQuiet ? UNSIGNED_SECONDS : signedSeconds, terms)
  if (Temporal.Instant.compare(next, begins) <= 0) {
    return next
  }
  const dayStart = begins.add({ seconds: Math.ceil(shareOf(id, 'day') * DAY_BEGINS_WITHIN_SECONDS) })
  const isAhead = Temporal.Instant.compare(dayStart, now) > 0
  return isAhead && Temporal.Instant.compare(next, dayStart) > 0 ? dayStart : next
}

/** After as many seconds as the step of the payment takes; the last step repeats. */
function later(
  { id, pollStep }: Polled,
  now: Temporal.Instant,
  secondsByStep: readonly number[],
  terms: PollTerms,
): Temporal.Instant {
  const seconds = secondsByStep[Math.min(pollStep, secondsByStep.length - 1)] ?? 0
  const jittered = Math.max(seconds, terms.secondsMin) * (1 + JITTER_SHARE * shareOf(id, String(pollStep)))
  return now.add({ milliseconds: Math.round(jittered * 1000) })
}

/** A number from 0 up to 1 that is always the same for a payment and a purpose. */
function shareOf(id: string, purpose: string): number {
  return hash('sha256', `${id} ${purpose}`, 'buffer').readUInt32BE() / 2 ** 32
}
