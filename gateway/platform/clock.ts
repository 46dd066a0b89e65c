/** Provides business time, which the sandbox may move, and wall time, which cannot be moved. */

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
