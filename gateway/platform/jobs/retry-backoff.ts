/** Computes retry times of an unavailable system: short intervals at first, then a growing backoff. */

/** The minimum and the maximum wait, in seconds. */
export type RetryBackoff = { readonly leastSeconds: number; readonly mostSeconds: number }

/** A recovered system is retried after at most a tenth of its downtime. */
const SHARE = 10

/**
 * The time of the next attempt, when the last success, or the first failure, was at `since`; not before the time
 * that the system itself requests.
 */
export function nextAttemptAt(
  since: Temporal.Instant,
  now: Temporal.Instant,
  { leastSeconds, mostSeconds }: RetryBackoff,
  retryAfterSeconds: number | null = null,
): Temporal.Instant {
  const silentSeconds = Math.floor(now.since(since).total('seconds'))
  const seconds = Math.min(Math.max(Math.floor(silentSeconds / SHARE), leastSeconds), mostSeconds)
  return now.add({ seconds: Math.max(seconds, retryAfterSeconds ?? 0) })
}

const RETRY_SECONDS_MIN = 30
export const RETRY_SECONDS_MAX = 3_600
/** Twice as long until the maximum is reached. */
export const DOUBLINGS_MAX = 7

/** How long a row waits that has failed so many times in a row: each time twice as long. */
export function retryDelayOf(failures: number): { readonly seconds: number } {
  const doublings = Math.min(failures - 1, DOUBLINGS_MAX)
  return { seconds: Math.min(RETRY_SECONDS_MIN * 2 ** doublings, RETRY_SECONDS_MAX) }
}
