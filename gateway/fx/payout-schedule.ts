/** Says when a payout is read at its provider again: often at first, rarely once it was completed, as it may still come back. */

/** The provider tells of most changes itself. */
const LOOK_SECONDS = { least: 60, most: 6 * 3600 }
/** The longer it lasts, the more rarely: after a third of the time that it has lasted. */
const SHARE = 3
const COMPLETED_LOOK = { hours: 24 }
/** Thirty bank days, as for other cross-border payments, and holidays in between. */
const COMPLETED_FOR = { hours: 24 * 45 }

/** The next look at a payout that was ordered, or changed, at `since`. */
export function nextLookAtPayout(since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const seconds = Math.floor(now.since(since).total('seconds') / SHARE)
  return now.add({ seconds: Math.min(Math.max(seconds, LOOK_SECONDS.least), LOOK_SECONDS.most) })
}

/** The next look at one that was completed at `since`; null when it may be taken for good. */
export function nextLookAtCompleted(since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant | null {
  const until = since.add(COMPLETED_FOR)
  return Temporal.Instant.compare(now, until) < 0 ? now.add(COMPLETED_LOOK) : null
}

/** Payouts arrive within two bank days; one that has not left or arrived after a week is for people. */
const OVERDUE_AFTER = { hours: 24 * 7 }

/** Whether one that was ordered at `since` has taken too long. */
export function isOverdue(since: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since.add(OVERDUE_AFTER), now) <= 0
}
