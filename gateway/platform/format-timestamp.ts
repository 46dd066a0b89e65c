/** Formats instants and days as timestamps of responses and webhooks: UTC with three decimals. */
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
