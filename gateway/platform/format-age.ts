/** Formats how long ago something began. */

const HOURS_OF_TWO_DAYS = 48

/** `5 min`, `7 h` or `12 d`. */
export function formatAge(since: Temporal.Instant, now: Temporal.Instant): string {
  const hours = Math.max(0, now.since(since).total('hours'))
  if (hours < 1) {
    return `${Math.floor(hours * 60)} min`
  }
  return hours < HOURS_OF_TWO_DAYS ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} d`
}
