/** Tells what time it is: business time, which the sandbox may move, and wall time, which nobody can. */

/** The two times of the house; every other file asks here. */
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

/** Makes a clock that starts in step with wall time; milliseconds are as fine as it tells. */
export function movableClock(): MovableClock {
  let offset = 0
  // Whoever asks often asks several times within a millisecond, and making an instant costs more than keeping one.
  let latest = { milliseconds: 0, instant: Temporal.Instant.fromEpochMilliseconds(0) }
  const real = () => {
    const milliseconds = wallMilliseconds()
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

/** Milliseconds since some moment of this process, for waits and leases: unmoved by whoever sets the machine's clock. */
export function steadyMilliseconds(): number {
  return performance.now()
}

/** Wall time in milliseconds since 1970, for stamps inside identifiers and for measuring. */
export function wallMilliseconds(): number {
  return Date.now()
}
