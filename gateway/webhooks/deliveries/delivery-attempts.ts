/** Makes one delivery attempt and records its outcome. */
import { openDisabledPartnerCache } from '../../auth/disabled-partner-cache.ts'
import { monotonicMilliseconds } from '../../platform/clock.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import type { WebhookContext } from '../webhook-context.ts'
import { attemptLogEntry, type ClaimedDelivery } from './delivery.ts'
import { type AttemptRecord, recordAttempts } from './delivery-attempt-store.ts'
import { signDeliveryRequest } from './dispatch/sign-delivery-request.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'
import { endpointCache } from './endpoint-cache.ts'
import { stateAfterAttempt } from './retry-schedule.ts'

/** The two parts of an attempt, so that a connection is not held while the outcome is written. */
export type DeliveryAttempts = {
  /** Posts the delivery; settles within ten seconds, and never rejects. */
  post(delivery: ClaimedDelivery): Promise<CompletedAttempt>
  /** Records the outcome; attempts that end together share a statement. Returns whether this outcome was recorded. */
  record(delivery: ClaimedDelivery, made: CompletedAttempt): Promise<boolean>
}

/** An attempt, and the business time at which it began. */
export type CompletedAttempt = { readonly attempt: Attempt; readonly at: Temporal.Instant }

/** Each statement costs as much as ten of its rows. A process that dies repeats at most this many deliveries more. */
const RECORD_GATHER_MILLISECONDS = 10
const RECORD_BATCH_MAX = 256

/** Messages in the partner's delivery log; the cause is in our own log. */
const PARTNER_DISABLED = 'The partner is disabled; the endpoint was not called'
const INTERNAL_FAULT = 'Havn could not send this delivery; the endpoint was not called'

/** `recordAll` executes the statement; a caller without a waiting request may retry it for longer. */
export function openDeliveryAttempts(
  context: WebhookContext,
  recordAll: typeof recordAttempts = recordAttempts,
): DeliveryAttempts {
  const { database, clock, dispatch } = context
  const endpointOf = endpointCache(context)
  const isDisabled = openDisabledPartnerCache(context)
  const recordOne = coalesce<AttemptRecord, boolean>({
    keyOf: ({ id }) => id,
    run: async (attempts) => {
      const recorded = await recordAll(database, attempts)
      observeAttempts(
        context,
        attempts.filter((_, index) => recorded[index]),
      )
      return recorded
    },
    rowsMax: RECORD_BATCH_MAX,
    gatherMilliseconds: RECORD_GATHER_MILLISECONDS,
  })
  return {
    post: async (delivery) => {
      const [begun, at] = [monotonicMilliseconds(), clock.now()]
      try {
        // It ends as for an unavailable endpoint, and the delivery log shows the missed event.
        if (await isDisabled(delivery.partnerId)) {
          return { attempt: { kind: 'fault', error: PARTNER_DISABLED, milliseconds: 0 }, at }
        }
        const posting = signDeliveryRequest(delivery, await endpointOf(delivery), clock.real())
        return { attempt: await dispatch.post(posting), at }
      } catch (error) {
        reportFault(context, delivery, error)
        const milliseconds = Math.round(monotonicMilliseconds() - begun)
        return { attempt: { kind: 'fault', error: INTERNAL_FAULT, milliseconds }, at }
      }
    },
    record: ({ partnerId, subscriptionId, id, attemptsMade }, { attempt, at }) => {
      const number = attemptsMade + 1
      const { status, dueAt } = stateAfterAttempt(attempt, number, clock.now())
      const clockOffset = clock.offsetMilliseconds()
      const logged = attemptLogEntry(attempt, at)
      return recordOne({ partnerId, subscriptionId, id, number, status, dueAt, clockOffset, attempt: logged })
    },
  }
}

/**
 * An internal error counts as a retryable attempt, so that the delivery ends eventually, and is logged and measured.
 */
function reportFault({ log, metrics }: WebhookContext, { id }: ClaimedDelivery, error: unknown): void {
  if (error instanceof DatabaseUnavailable) {
    log.warn({ delivery: id, error }, 'a delivery could not be sent because the database is not available')
    return
  }
  metrics.webhookInternalErrors.inc()
  log.error({ delivery: id, error }, 'a delivery could not be sent because of an internal error')
}

/** Only recorded attempts count; when another worker has made an attempt since, that one's counts. */
function observeAttempts({ metrics }: WebhookContext, recorded: readonly AttemptRecord[]): void {
  for (const { status, attempt } of recorded) {
    metrics.webhookAttempts.observe({ outcome: status }, attempt.durationMilliseconds / 1000)
    if (status === 'Failed' || status === 'Refused') {
      metrics.failedWebhookDeliveries.inc({ outcome: status })
    }
  }
}
