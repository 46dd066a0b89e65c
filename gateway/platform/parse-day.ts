/** Parses a calendar day written as YYYY-MM-DD. */

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
