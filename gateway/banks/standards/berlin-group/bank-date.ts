/** Reads a date from an answer of a bank. */

/** A date from a bank; null when it is absent or invalid. */
export function dateOf(text: string | undefined): Temporal.PlainDate | null {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(text ?? '') ?? []
  if (year === undefined) {
    return null
  }
  // A day after the end of its month becomes the last day.
  const date = Temporal.PlainDate.from({ year: Number(year), month: Number(month), day: Number(day) })
  return date.toString() === text ? date : null
}
