/** Formats and parses days and times. */
import type { Timestamp } from '../../contract/shapes.ts'

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
