/** Formats instants and days as the provider does: in seconds, and mostly with an offset instead of a Z. */

/** `2018-07-16T10:41:12+00:00`. */
export function formatInstant(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' }).replace('Z', '+00:00')
}

/** `2018-07-16T10:41:12Z`, in quotes and rates. */
export function formatShortInstant(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' })
}

/** The start of a day. */
export function formatDay(day: Temporal.PlainDate): string {
  return `${day}T00:00:00+00:00`
}

/** A short reference for display: the kind, the day, and six letters or digits. */
export function shortReference(kind: string, at: Temporal.Instant, id: string): string {
  const day = at.toString().slice(0, 10).replaceAll('-', '')
  return `${kind}${day}-${id.replaceAll('-', '').slice(-6).toUpperCase()}`
}

/** An instant of a filter; one that cannot be parsed does not filter. */
export function parseInstant(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : Temporal.Instant.from(text).toString()
  } catch {
    return undefined
  }
}
