/** Prints instants and days as timestamps of answers and webhooks: UTC with three decimals. */
import type { Timestamp } from '../../contract/shapes.ts'

/** The timestamp, for example `2026-11-23T10:00:00.000Z`. */
export function printTimestamp(at: Temporal.Instant): Timestamp {
  // Temporal prints an instant in UTC with these decimals exactly so.
  return at.toString({ fractionalSecondDigits: 3 }) as Timestamp
}

/**
 * A day of which no time is known, for example `2026-11-23T00:00:00.000Z`. Midnight in UTC lies in the same day all over
 * the Nordics, and the first ten characters are the day itself.
 */
export function printDay(day: Temporal.PlainDate): Timestamp {
  return `${day.toString()}T00:00:00.000Z` as Timestamp
}
