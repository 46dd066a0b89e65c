/** Defines the days by which we count where no country's own apply: those of Central European time. */

export const REPORTING_TIME_ZONE = 'Europe/Oslo'

/** The first moment of a day. */
export function startOfReportingDay(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(REPORTING_TIME_ZONE).toInstant()
}
