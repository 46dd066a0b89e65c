/** Makes one attempt at a delivery and keeps what became of it. */
import { coalesce } from '../foundation/database/coalesce.ts'
import { type ClaimedDelivery, loggedAttempt, standingAfter } from './delivery.ts'
import { type AttemptToKeep, keepAttempts } from './delivery-work-store.ts'
import type { Attempt } from './dispatch.ts'
import { endpointCache } from './endpoint-cache.ts'
import { signedPosting } from './signed-posting.ts'
import type { WebhookContext } from './webhook-context.ts'

/** The two halves of an attempt, so that a connection is not held while the outcome is written. */
export type Attempts = {
  /** Posts the delivery; settles within ten seconds. */
  post(delivery: ClaimedDelivery): Promise<AttemptMade>
  /** Keeps the outcome; attempts that end together share a statement. */
  keep(delivery: ClaimedDelivery, made: AttemptMade): Promise<void>
}

/** An attempt, and the business time at which it began. */
export type AttemptMade = { readonly attempt: Attempt; readonly at: Temporal.Instant }

export function openAttempts(context: WebhookContext): Attempts {
  const { database, clock, dispatch, metrics } = context
  const endpointOf = endpointCache(context)
  const keepOne = coalesce<AttemptToKeep, boolean>({
    keyOf: ({ partnerId, subscriptionId, id }) => `${partnerId} ${subscriptionId} ${id}`,
    run: (attempts) => keepAttempts(database, attempts),
  })
  return {
    post: async (delivery) => {
      const endpoint = await endpointOf(delivery)
      const at = clock.now()
      return { attempt: await dispatch.post(signedPosting(delivery, endpoint, clock.real())), at }
    },
    keep: async ({ partnerId, subscriptionId, id, attemptsMade }, { attempt, at }) => {
      const number = attemptsMade + 1
      const standing = standingAfter(attempt, number, clock.now())
      await keepOne({ partnerId, subscriptionId, id, number, ...standing, attempt: loggedAttempt(attempt, at) })
      metrics.webhookAttempts.observe({ outcome: standing.status }, attempt.milliseconds / 1000)
    },
  }
}
