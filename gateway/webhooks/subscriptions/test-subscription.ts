/** Sends a test delivery to a subscription's endpoint, within the request that asks for it. */
import { TEST_EVENT, type TestEvent } from '../../../contract/webhooks/webhook-events.ts'
import type { WebhookTestResult } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { adjustCount, type KeyedCounts } from '../../platform/collections.ts'
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { attemptLogEntry, isSuccess } from '../deliveries/attempt-outcome.ts'
import { type DeliveryAttempts, openDeliveryAttempts } from '../deliveries/delivery-attempts.ts'
import { insertDelivery } from '../store/delivery-store.ts'
import type { Subscription, SubscriptionKey } from '../store/subscription.ts'
import { requireEnabled, requireSubscription } from '../store/subscription-store.ts'

/** Longer than the attempt may take; then the workers retry the test, if this process has died. */
const LEASE_SECONDS = 30

/**
 * A test may occupy a request and a connection for ten seconds, in addition to the workers'; few are needed at once.
 */
export const CONCURRENT_TESTS_MAX = { ofSubscription: 2, ofPartner: 5 } as const

/** An attempt ends within ten seconds; most do within one. */
const RETRY_AFTER_SECONDS = 5

/** Workers repeat the test once its lease has ended. */
const INTERNAL_FAULT = 'Havn could not send this delivery yet; the endpoint was not called'

/** The dependencies of tests; one instance per server. */
export type TestDependencies = {
  readonly attempts: DeliveryAttempts
  /** Tests in flight, of each partner and of each subscription. */
  readonly inFlight: KeyedCounts
}

export function openTestDependencies(context: Context): TestDependencies {
  return { attempts: openDeliveryAttempts(context), inFlight: new Map() }
}

/**
 * Returns the outcome of the first attempt; retries are made like those of any delivery. Throws 404 for a disabled
 * subscription.
 */
export async function testSubscription(
  context: Context,
  key: SubscriptionKey,
  { attempts, inFlight }: TestDependencies,
): Promise<WebhookTestResult> {
  const subscription = requireEnabled(await requireSubscription(context.database, key))
  const { partnerId, id } = subscription
  const { ofPartner, ofSubscription } = CONCURRENT_TESTS_MAX
  const mostByKey = new Map([
    [partnerId, ofPartner],
    [`${partnerId} ${id}`, ofSubscription],
  ])
  if ([...mostByKey].some(([key, most]) => (inFlight.get(key) ?? 0) >= most)) {
    throw apiError('too-many-requests', 'Too many tests are in progress; wait until one has ended', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  const adjust = (change: 1 | -1) => {
    for (const key of mostByKey.keys()) {
      adjustCount(inFlight, key, change)
    }
  }
  adjust(1)
  try {
    return await sendTestDelivery(context, subscription, attempts)
  } finally {
    adjust(-1)
  }
}

async function sendTestDelivery(
  { database, clock, log }: Context,
  { partnerId, id: subscriptionId, endpointVersion, targetUrl }: Subscription,
  attempts: DeliveryAttempts,
): Promise<WebhookTestResult> {
  const [eventId, createdAt] = [newId(), clock.now()]
  const event: TestEvent = { id: eventId, type: TEST_EVENT, createdAt: formatTimestamp(createdAt) }
  const delivery = {
    partnerId,
    subscriptionId,
    id: newId(),
    endpointVersion,
    origin: new URL(targetUrl).origin,
    eventId,
    eventType: TEST_EVENT,
    subjectId: null,
    body: JSON.stringify(event),
    createdAt,
    attemptsMade: 0,
  }
  await insertDelivery(database, { ...delivery, leaseSeconds: LEASE_SECONDS })
  try {
    const made = await attempts.post(delivery)
    await attempts.record(delivery, made)
    const { error } = attemptLogEntry(made.attempt, made.at)
    return { deliveryId: delivery.id, succeeded: isSuccess(made.attempt), error }
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      throw error
    }
    log.error({ delivery: delivery.id, error }, 'a test delivery could not be sent because of an internal error')
    return { deliveryId: delivery.id, succeeded: false, error: INTERNAL_FAULT }
  }
}
