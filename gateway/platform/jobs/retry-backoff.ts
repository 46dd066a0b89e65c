/** Decides when to ask again whoever has not answered: soon at first, and the longer it lasts, the later. */

/** Between which waits, in seconds. */
export type RetryDelay = { readonly leastSeconds: number; readonly mostSeconds: number }

/** Whoever comes back is asked again after a tenth, at most, of the time that was without an answer. */
const SHARE = 10

/** The time of the next attempt, when the last good answer, or the first failure, was at `since`. */
export function retryAt(since: Temporal.Instant, now: Temporal.Instant, delay: RetryDelay): Temporal.Instant {
  const { leastSeconds, mostSeconds } = delay
  const silentSeconds = Math.floor(now.since(since).total('seconds'))
  const seconds = Math.min(Math.max(Math.floor(silentSeconds / SHARE), leastSeconds), mostSeconds)
  return now.add({ seconds })
}
