/** Computes when to poll a payout: often at first, rarely once it is completed, because it may still be returned. */

/** The provider notifies of most changes. */
const POLL_SECONDS = { least: 60, most: 6 * 3600 }
/** The interval grows: a third of the time since the order. */
const ELAPSED_DIVISOR = 3
const COMPLETED_POLL = { hours: 24 }
/** Thirty bank days, as for other cross-border payments, with holidays in between. */
const COMPLETED_FOR = { hours: 24 * 45 }

/** The next poll of a payout that was ordered, or changed, at `since`. */
export function nextPayoutPollAt(since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const seconds = Math.floor(now.since(since).total('seconds') / ELAPSED_DIVISOR)
  return now.add({ seconds: Math.min(Math.max(seconds, POLL_SECONDS.least), POLL_SECONDS.most) })
}

/** The next poll of a payout completed at `since`; null when it is final. */
export function nextCompletedPayoutPollAt(since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant | null {
  const until = since.add(COMPLETED_FOR)
  return Temporal.Instant.compare(now, until) < 0 ? now.add(COMPLETED_POLL) : null
}

/** Payouts arrive within two bank days; after a week an operator must ask. */
const OVERDUE_AFTER = { hours: 24 * 7 }

/** Whether a payout ordered at `since` has taken too long. */
export function isPayoutOverdue(since: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since.add(OVERDUE_AFTER), now) <= 0
}
