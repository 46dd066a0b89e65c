/** Makes one attempt at a delivery and keeps what became of it. */
import { openDisabledPartners } from '../auth/disabled-partners.ts'
import { steadyMilliseconds } from '../platform/clock.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import { type ClaimedDelivery, loggedAttempt, standingAfter } from './deliveries/delivery.ts'
import { type AttemptToKeep, keepAttempts } from './deliveries/delivery-attempt-store.ts'
import { signedPosting } from './deliveries/dispatch/sign-delivery-request.ts'
import type { Attempt } from './deliveries/dispatch/webhook-dispatcher.ts'
import { endpointCache } from './deliveries/endpoint-cache.ts'
import type { WebhookContext } from './webhook-context.ts'

/** The two halves of an attempt, so that a connection is not held while the outcome is written. */
export type Attempts = {
  /** Posts the delivery; settles within ten seconds, and never rejects. */
  post(delivery: ClaimedDelivery): Promise<AttemptMade>
  /** Keeps the outcome; attempts that end together share a statement. Says whether it was the first to be kept. */
  keep(delivery: ClaimedDelivery, made: AttemptMade): Promise<boolean>
}

/** An attempt, and the business time at which it began. */
export type AttemptMade = { readonly attempt: Attempt; readonly at: Temporal.Instant }

/** Each statement costs as much as ten rows of it. Whoever dies meanwhile repeats so much more of what it delivered. */
const KEPT_WITHIN_MILLISECONDS = 10
const KEPT_AT_ONCE_MAX = 256

/** What partners see in the log; what went wrong is in ours. */
const PARTNER_DISABLED = 'The partner is disabled; the endpoint was not called'
const FAULT_OF_OURS = 'Havn could not send this delivery; the endpoint was not called'

/** `keepAll` sends the statement; whoever has no request waiting may send it for longer. */
export function openAttempts(context: WebhookContext, keepAll: typeof keepAttempts = keepAttempts): Attempts {
  const { database, clock, dispatch } = context
  const endpointOf = endpointCache(context)
  const isDisabled = openDisabledPartners(context)
  const keepOne = coalesce<AttemptToKeep, boolean>({
    keyOf: ({ id }) => id,
    run: async (attempts) => {
      const kept = await keepAll(database, attempts)
      measure(
        context,
        attempts.filter((_, index) => kept[index]),
      )
      return kept
    },
    rowsMax: KEPT_AT_ONCE_MAX,
    gatherMilliseconds: KEPT_WITHIN_MILLISECONDS,
  })
  return {
    post: async (delivery) => {
      const [begun, at] = [steadyMilliseconds(), clock.now()]
      try {
        // It ends as for an endpoint that stays away, and the log tells what its partner was not told.
        if (await isDisabled(delivery.partnerId)) {
          return { attempt: { kind: 'fault', error: PARTNER_DISABLED, milliseconds: 0 }, at }
        }
        const posting = signedPosting(delivery, await endpointOf(delivery), clock.real())
        return { attempt: await dispatch.post(posting), at }
      } catch (error) {
        noteFault(context, delivery, error)
        const milliseconds = Math.round(steadyMilliseconds() - begun)
        return { attempt: { kind: 'fault', error: FAULT_OF_OURS, milliseconds }, at }
      }
    },
    keep: ({ partnerId, subscriptionId, id, attemptsMade }, { attempt, at }) => {
      const number = attemptsMade + 1
      const { status, dueAt } = standingAfter(attempt, number, clock.now())
      const clockOffset = clock.offsetMilliseconds()
      const logged = loggedAttempt(attempt, at)
      return keepOne({ partnerId, subscriptionId, id, number, status, dueAt, clockOffset, attempt: logged })
    },
  }
}

/** It counts as an attempt that may be made again, so that it ends some time, and leaves a trace wherever one looks. */
function noteFault({ log, metrics }: WebhookContext, { id }: ClaimedDelivery, error: unknown): void {
  metrics.webhookFaults.inc()
  log.error({ delivery: id, error }, 'a delivery could not be sent for a fault of ours')
}

/** Those that were kept: of one that another worker has made since, that one's counts. */
function measure({ metrics }: WebhookContext, kept: readonly AttemptToKeep[]): void {
  for (const { status, attempt } of kept) {
    metrics.webhookAttempts.observe({ outcome: status }, attempt.durationMilliseconds / 1000)
    if (status === 'Failed' || status === 'Refused') {
      metrics.webhooksGivenUp.inc({ outcome: status })
    }
  }
}
