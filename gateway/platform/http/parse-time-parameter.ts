/** Parses a time parameter: an instant, or a day, which means its beginning. */
import type { ValidationError } from './errors/api-error.ts'

/** Both PostgreSQL and the calendar support this range and the day after it. A time outside it is that of its nearest end. */
const EARLIEST = Temporal.Instant.from('0001-01-02T00:00:00Z')
const LATEST = Temporal.Instant.from('9999-12-30T00:00:00Z')
/** What separates a day from its time; RFC 3339 permits a small letter and a blank. */
const TIME_MARK = /[T ]/i

/** The errors of instants: a schema knows the form of a time, and not whether it is one. */
export function validateInstants(
  times: Readonly<Record<string, string | undefined>>,
  isSound: (path: string) => boolean,
): readonly ValidationError[] {
  return Object.entries(times).flatMap(([name, text]) =>
    text === undefined || !isSound(`.${name}`) || parseTimeParameter(text, 'UTC') !== undefined
      ? []
      : [{ code: 'InvalidRequest', reason: 'is not a time', path: `.${name}` } as const],
  )
}

/** The end of a period, exclusive: an instant, or the end of a day. Undefined when it is not a valid time. */
export function parseEndParameter(text: string, timeZone: string): Temporal.Instant | undefined {
  const time = parseTimeParameter(text, timeZone)
  return time === undefined || TIME_MARK.test(text)
    ? time
    : time.toZonedDateTimeISO(timeZone).add({ days: 1 }).toInstant()
}

/** Undefined when it is not a valid time. */
export function parseTimeParameter(text: string, timeZone: string): Temporal.Instant | undefined {
  try {
    const time = TIME_MARK.test(text)
      ? Temporal.Instant.from(text)
      : Temporal.PlainDate.from(text).toZonedDateTime(timeZone).toInstant()
    const started = Temporal.Instant.compare(time, EARLIEST) < 0 ? EARLIEST : time
    return Temporal.Instant.compare(started, LATEST) > 0 ? LATEST : started
  } catch {
    return undefined
  }
}
