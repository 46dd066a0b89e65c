/** Provides business time, which the sandbox may move, and wall time, which cannot be moved; formats and parses both. */
import type { Timestamp } from '../../contract/shapes.ts'

/** The only source of time; every other file uses it. */
export type Clock = {
  /** Business time: due dates, deadlines, delays, settlement, expiry of consents and quotes. */
  now(): Temporal.Instant
  /** Wall time: tokens, TLS, signature timestamps, leases, rate limits, time-outs. */
  real(): Temporal.Instant
  /** The business day in a time zone such as `Europe/Oslo`. */
  today(timeZone: string): Temporal.PlainDate
}

/** A clock whose business time runs at an offset from wall time. */
export type MovableClock = Clock & {
  /** How far business time is ahead of wall time, in milliseconds. */
  offsetMilliseconds(): number
  /** Moves business time; wall time stays. */
  setOffset(milliseconds: number): void
}

/** Creates a clock that starts equal to wall time, in milliseconds since 1970; its precision is one millisecond. */
export function movableClock(wallTime: () => number = wallMilliseconds): MovableClock {
  let offset = 0
  // Callers often read the clock several times within a millisecond, and creating an instant costs more than caching
  // one.
  let latest = { milliseconds: 0, instant: Temporal.Instant.fromEpochMilliseconds(0) }
  const real = () => {
    const milliseconds = wallTime()
    if (milliseconds !== latest.milliseconds) {
      latest = { milliseconds, instant: Temporal.Instant.fromEpochMilliseconds(milliseconds) }
    }
    return latest.instant
  }
  const now = () => (offset === 0 ? real() : real().add({ milliseconds: offset }))
  return {
    now,
    real,
    today: (timeZone) => now().toZonedDateTimeISO(timeZone).toPlainDate(),
    offsetMilliseconds: () => offset,
    setOffset: (milliseconds) => {
      offset = milliseconds
    },
  }
}

/**
 * Milliseconds since some moment of this process, for waits and leases: not affected by changes of the system clock.
 */
export function monotonicMilliseconds(): number {
  return performance.now()
}

/** Wall time in milliseconds since 1970, for timestamps inside identifiers and for measurements. */
export function wallMilliseconds(): number {
  return Date.now()
}

export function earlierOf(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) <= 0 ? one : other
}

export function laterOf(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) >= 0 ? one : other
}

/** The timestamp, for example `2026-11-23T10:00:00.000Z`. */
export function formatTimestamp(at: Temporal.Instant): Timestamp {
  // Temporal formats an instant in UTC with exactly these decimals.
  return at.toString({ fractionalSecondDigits: 3 }) as Timestamp
}

/**
 * A day without a time, for example `2026-11-23T00:00:00.000Z`. Midnight in UTC is on the same day in all Nordic
 * countries, and the first ten characters are the date itself.
 */
export function formatDayAsTimestamp(day: Temporal.PlainDate): Timestamp {
  return `${day.toString()}T00:00:00.000Z` as Timestamp
}

const HOURS_OF_TWO_DAYS = 48

/** `5 min`, `7 h` or `12 d`. */
export function formatAge(since: Temporal.Instant, now: Temporal.Instant): string {
  const hours = Math.max(0, now.since(since).total('hours'))
  if (hours < 1) {
    return `${Math.floor(hours * 60)} min`
  }
  return hours < HOURS_OF_TWO_DAYS ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} d`
}

/** Returns undefined for another form, and for a day that does not exist, such as 30 February. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    return undefined
  }
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}
