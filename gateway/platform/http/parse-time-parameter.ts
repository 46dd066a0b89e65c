/** Reads a time that a partner asks for: an instant, or a bare day, which means its beginning. */

/** PostgreSQL and the calendar both know what is between them, and the day after. */
const EARLIEST = Temporal.Instant.from('0001-01-02T00:00:00Z')
const LATEST = Temporal.Instant.from('9999-12-30T00:00:00Z')

/** Undefined when it is no time of the calendar, or one that nobody can mean. */
export function readAskedTime(text: string, timeZone: string): Temporal.Instant | undefined {
  try {
    const time = text.includes('T')
      ? Temporal.Instant.from(text)
      : Temporal.PlainDate.from(text).toZonedDateTime(timeZone).toInstant()
    const isKnown = Temporal.Instant.compare(EARLIEST, time) <= 0 && Temporal.Instant.compare(time, LATEST) <= 0
    return isKnown ? time : undefined
  } catch {
    return undefined
  }
}
