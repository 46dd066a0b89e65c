/** Decides when a payment is read at its bank again: seconds after signing, growing to hours, rarely once it is final. */
import { createHash } from 'node:crypto'
import type { Bank } from '../../banks/directory/bank.ts'
import { addBankDays } from '../../countries/bank-days.ts'
import type { CalendarName } from '../../countries/bank-holidays.ts'
import { calendarOf } from '../../countries/execution-day.ts'
import { isFinalValue, type Payment, permits } from '../payment.ts'

/** What the schedule looks at. `pollStep` counts the reads since anything happened. */
export type Polled = Pick<Payment, 'id' | 'status' | 'signed' | 'pollStep' | 'finalSince' | 'dueDate'> & {
  readonly type?: Payment['type']
  /** The day on which it is carried out, where that is known to differ from the due day. */
  readonly executesOn?: Temporal.PlainDate
}

/** What of a bank the schedule goes by. */
export type PollTerms = {
  readonly calendars: readonly CalendarName[]
  readonly timeZone: string
  /** How long at least lies between two reads. */
  readonly secondsMin: number
}

/** After signing, and whenever something has just happened: no change in the first quarter of a minute waits for 3 s. */
const SIGNED_SECONDS = [1, 1, 1, 2, 2, 2, 2, 2, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]
/** Nothing happens to an order before its due day but a change of mind, and days after it people look. */
const FAR_SECONDS = 21_600
/** Unsigned orders may be signed or dropped in the netbank behind our back. */
const UNSIGNED_SECONDS = [60, 300, 900, 3600, 10_800, 21_600]
/** Final is not final: banks take payments back. */
const FINAL_SECONDS = [3600, 14_400, 43_200, 86_400, 172_800]
const FINAL_WATCHED_BANK_DAYS = 10
/** Money comes back from abroad by way of several banks. */
const FINAL_WATCHED_ABROAD_BANK_DAYS = 30
/** After so many bank days without an end nobody expects one within the hour. */
const OVERDUE_BANK_DAYS = 2
/** Waits are longer by up to this share, each payment's by its own, so that those that met once do not meet again. */
const JITTER_SHARE = 0.1
/** Orders that wait for their day are not all read as it begins. */
const DAY_BEGINS_WITHIN_SECONDS = 3600

/** The terms of a bank; those of any bank where it is not known. */
export function pollTermsOf(bank: Bank | undefined): PollTerms {
  return {
    calendars: [bank === undefined ? 'TARGET' : calendarOf(bank.countryCode)],
    timeZone: bank?.profile.timeZone ?? 'UTC',
    secondsMin: bank?.profile.pollSecondsMin ?? 1,
  }
}

/**
 * The time of the next read, or null when nothing more is to be expected. Where one read tells of a part only, it comes
 * so much sooner that all `readings` fit into the time of one.
 */
export function nextPoll(
  polled: Polled,
  now: Temporal.Instant,
  terms: PollTerms,
  readings = 1,
): Temporal.Instant | null {
  const next = nextWhole(polled, now, terms)
  if (next === null || readings === 1) {
    return next
  }
  const milliseconds = Math.max(terms.secondsMin * 1000, next.since(now).total('milliseconds') / readings)
  return now.add({ milliseconds: Math.round(milliseconds) })
}

function nextWhole(polled: Polled, now: Temporal.Instant, terms: PollTerms): Temporal.Instant | null {
  const { status, signed } = polled
  if (isFinalValue(status)) {
    return whileWatched(polled, now, terms)
  }
  // An order that waits for a further signature has been signed by somebody a moment ago.
  const isQuiet = permits({ status, statusReason: null, signed }, 'approve')
  return isQuiet ? nextUnsigned(polled, now, terms) : nextSigned(polled, now, terms)
}

/** Whether a payment has taken so long after its day of execution that people are told. */
export function isOverdue(
  executesOn: Temporal.PlainDate,
  now: Temporal.Instant,
  { calendars, timeZone }: Pick<PollTerms, 'calendars' | 'timeZone'>,
): boolean {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  return Temporal.PlainDate.compare(today, addBankDays(calendars, executesOn, OVERDUE_BANK_DAYS)) > 0
}

function whileWatched(polled: Polled, now: Temporal.Instant, terms: PollTerms): Temporal.Instant | null {
  const since = (polled.finalSince ?? now).toZonedDateTimeISO(terms.timeZone).toPlainDate()
  const bankDays = polled.type === 'CrossBorder' ? FINAL_WATCHED_ABROAD_BANK_DAYS : FINAL_WATCHED_BANK_DAYS
  const watchedUntil = beginOf(addBankDays(terms.calendars, since, bankDays).add({ days: 1 }), terms)
  const next = later(polled, now, { seconds: at(FINAL_SECONDS, polled.pollStep), terms })
  return Temporal.Instant.compare(next, watchedUntil) > 0 ? null : next
}

/** Not later than the end of the due day: then it is withdrawn. */
function nextUnsigned(polled: Polled, now: Temporal.Instant, terms: PollTerms): Temporal.Instant {
  const next = later(polled, now, { seconds: at(UNSIGNED_SECONDS, polled.pollStep), terms })
  return notBeyond(polled, next, { now, begins: beginOf(polled.dueDate.add({ days: 1 }), terms) })
}

function nextSigned(polled: Polled, now: Temporal.Instant, terms: PollTerms): Temporal.Instant {
  const day = polled.executesOn ?? polled.dueDate
  const begins = beginOf(day, terms)
  const waitsForItsDay = Temporal.Instant.compare(now, begins) < 0
  const seconds = at(SIGNED_SECONDS, polled.pollStep)
  const isSlow = seconds >= Math.max(...SIGNED_SECONDS) && (waitsForItsDay || isOverdue(day, now, terms))
  const next = later(polled, now, { seconds: isSlow ? FAR_SECONDS : seconds, terms })
  return notBeyond(polled, next, { now, begins })
}

/** A day that begins in between is met, a little after it has begun. */
function notBeyond(
  { id }: Polled,
  next: Temporal.Instant,
  { now, begins }: { readonly now: Temporal.Instant; readonly begins: Temporal.Instant },
): Temporal.Instant {
  const met = begins.add({ seconds: Math.ceil(shareOf(id, 'day') * DAY_BEGINS_WITHIN_SECONDS) })
  const isAhead = Temporal.Instant.compare(met, now) > 0
  return isAhead && Temporal.Instant.compare(next, met) > 0 ? met : next
}

function later(
  { id, pollStep }: Polled,
  now: Temporal.Instant,
  { seconds, terms }: { readonly seconds: number; readonly terms: PollTerms },
): Temporal.Instant {
  const jittered = Math.max(seconds, terms.secondsMin) * (1 + JITTER_SHARE * shareOf(id, String(pollStep)))
  return now.add({ milliseconds: Math.round(jittered * 1000) })
}

/** A number from 0 up to 1 that is always the same for a payment and an occasion. */
function shareOf(id: string, occasion: string): number {
  return createHash('sha256').update(`${id} ${occasion}`).digest().readUInt32BE() / 2 ** 32
}

function beginOf(date: Temporal.PlainDate, { timeZone }: PollTerms): Temporal.Instant {
  return date.toZonedDateTime(timeZone).toInstant()
}

function at(delays: readonly number[], step: number): number {
  return delays[Math.min(step, delays.length - 1)] ?? 0
}
