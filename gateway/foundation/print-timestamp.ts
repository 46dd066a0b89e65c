/** Prints an instant as answers and webhooks have it: UTC with three decimals. */
import type { Timestamp } from '../../contract/shapes.ts'

/** The timestamp, for example `2026-11-23T10:00:00.000Z`. */
export function printTimestamp(at: Temporal.Instant): Timestamp {
  // Temporal prints an instant in UTC with these decimals exactly so.
  return at.toString({ fractionalSecondDigits: 3 }) as Timestamp
}
