/** Sends a test to a subscription's endpoint, within the request that asks for it. */
import { TEST_EVENT } from '../../../contract/webhooks/webhook-deliveries.ts'
import type { WebhookTestResult } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { isSuccess, loggedAttempt } from '../deliveries/delivery.ts'
import { insertDelivery } from '../deliveries/delivery-store.ts'
import type { Attempts } from '../make-attempt.ts'
import type { LeavePlaces, TakePlaces } from '../places.ts'
import type { WebhookContext } from '../webhook-context.ts'
import { requireSubscription } from './require-subscription.ts'
import type { Subscription, SubscriptionKey } from './subscription.ts'

/** Longer than the attempt may take; then the workers take the test up, if this process has died. */
const LEASE_SECONDS = 30

/** A test may take ten seconds of a request and a connection, beside the workers' turns: nobody needs many at once. */
export const TESTS_AT_ONCE = { ofSubscription: 2, ofPartner: 5 } as const

/** An attempt ends within ten seconds; most do within one. */
const RETRY_AFTER_SECONDS = 5

/** What tests are made with; one for a whole server. */
export type TestBench = { readonly attempts: Attempts; readonly takePlaces: TakePlaces }

/** Answers what became of the first attempt; the others are made as those of any delivery. Throws 404 for a disabled one. */
export async function testSubscription(
  context: WebhookContext,
  key: SubscriptionKey,
  { attempts, takePlaces }: TestBench,
): Promise<WebhookTestResult> {
  const subscription = await requireSubscription(context.database, key)
  if (!subscription.enabled) {
    throw refuse('not-found', 'The webhook subscription with this id is disabled')
  }
  const leave = takePlacesFor(subscription, takePlaces)
  try {
    return await makeTest(context, subscription, attempts)
  } finally {
    leave()
  }
}

function takePlacesFor({ partnerId, id }: Subscription, takePlaces: TakePlaces): LeavePlaces {
  const leave = takePlaces([
    { key: partnerId, most: TESTS_AT_ONCE.ofPartner },
    { key: `${partnerId} ${id}`, most: TESTS_AT_ONCE.ofSubscription },
  ])
  if (leave === undefined) {
    throw refuse('too-many-requests', 'Too many tests are under way; wait until one has ended', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  return leave
}

async function makeTest(
  { database, clock }: WebhookContext,
  { partnerId, id: subscriptionId, endpointVersion, targetUrl }: Subscription,
  attempts: Attempts,
): Promise<WebhookTestResult> {
  const [eventId, createdAt] = [newId(), clock.now()]
  const delivery = {
    partnerId,
    subscriptionId,
    id: newId(),
    endpointVersion,
    origin: new URL(targetUrl).origin,
    eventId,
    eventType: TEST_EVENT,
    subjectId: null,
    body: JSON.stringify({ id: eventId, type: TEST_EVENT, createdAt: printTimestamp(createdAt) }),
    createdAt,
    attemptsMade: 0,
  }
  await insertDelivery(database, { ...delivery, leaseSeconds: LEASE_SECONDS })
  const made = await attempts.post(delivery)
  await attempts.keep(delivery, made)
  const { error } = loggedAttempt(made.attempt, made.at)
  return { deliveryId: delivery.id, succeeded: isSuccess(made.attempt), error }
}
