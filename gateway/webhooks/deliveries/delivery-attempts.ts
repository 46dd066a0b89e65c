/** Makes one delivery attempt and records its outcome. */

import { createHmac } from 'node:crypto'
import { openDisabledPartnerCache } from '../../auth/list-partners.ts'
import type { Context } from '../../context.ts'
import { setMostRecent } from '../../platform/collections.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import type { ClaimedDelivery } from '../store/delivery.ts'
import { type AttemptRecord, recordAttempts } from '../store/delivery-attempt-store.ts'
import type { Endpoint } from '../store/subscription.ts'
import { findEndpoint } from '../store/subscription-store.ts'
import { attemptLogEntry, stateAfterAttempt } from './attempt-outcome.ts'
import type { DeliveryRequest } from './dispatch/post-request.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

/** The two parts of an attempt, so that a connection is not held while the outcome is written. */
export type DeliveryAttempts = {
  /** Posts the delivery; settles within ten seconds. Throws only for an error of our own, which is no attempt. */
  post(delivery: ClaimedDelivery): Promise<CompletedAttempt>
  /** Records the outcome; attempts that end together share a statement. Returns whether this outcome was recorded. */
  record(delivery: ClaimedDelivery, made: CompletedAttempt): Promise<boolean>
}

/** An attempt, and the business time at which it began. */
export type CompletedAttempt = { readonly attempt: Attempt; readonly at: Temporal.Instant }

/** Each statement costs as much as ten of its rows. A process that dies repeats at most this many deliveries more. */
const RECORD_GATHER_MILLISECONDS = 10
const RECORD_BATCH_MAX = 256

/** The message in the partner's delivery log. */
const PARTNER_DISABLED = 'The partner is disabled; the endpoint was not called'

/** `recordAll` executes the statement; a caller without a waiting request may retry it for longer. */
export function openDeliveryAttempts(
  context: Context,
  recordAll: typeof recordAttempts = recordAttempts,
): DeliveryAttempts {
  const { database, clock, dispatch, metrics } = context
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
      const at = clock.now()
      try {
        // It ends as for an unavailable endpoint, and the delivery log shows the missed event.
        if (await isDisabled(delivery.partnerId)) {
          return { attempt: { kind: 'disabled', error: PARTNER_DISABLED, milliseconds: 0 }, at }
        }
        const posting = signDeliveryRequest(delivery, await endpointOf(delivery), clock.real())
        return { attempt: await dispatch.post(posting), at }
      } catch (error) {
        if (!isDatabaseUnavailable(error)) {
          metrics.webhookInternalErrors.inc()
        }
        throw error
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

/** A few megabytes; the least recent ones are evicted. */
const REMEMBERED_MAX = 10_000

type EndpointKey = Parameters<typeof findEndpoint>[2]

/** Caches endpoints with their decrypted secrets: a version never changes, and decrypting costs more than signing. */
function endpointCache({ database, seal }: Context): (delivery: ClaimedDelivery) => Promise<Endpoint> {
  const remembered = new Map<string, Promise<Endpoint>>()
  const find = async (key: EndpointKey): Promise<Endpoint> => {
    const endpoint = await findEndpoint(database, seal, key)
    if (endpoint === undefined) {
      throw new Error(`Webhook subscription ${key.subscriptionId} has no endpoint of version ${key.version}`)
    }
    return endpoint
  }
  return ({ partnerId, subscriptionId, endpointVersion: version }) => {
    const key = `${partnerId} ${subscriptionId} ${version}`
    const found = remembered.get(key) ?? find({ partnerId, subscriptionId, version })
    if (!remembered.has(key)) {
      setMostRecent(remembered, [key, found], REMEMBERED_MAX)
      found.catch(() => remembered.delete(key))
    }
    return found
  }
}

/** Only recorded attempts count; when another worker has made an attempt since, that one's counts. */
function observeAttempts({ metrics }: Context, recorded: readonly AttemptRecord[]): void {
  for (const { status, attempt } of recorded) {
    metrics.webhookAttempts.observe({ outcome: status }, attempt.durationMilliseconds / 1000)
    if (status === 'Failed' || status === 'Refused') {
      metrics.failedWebhookDeliveries.inc({ outcome: status })
    }
  }
}

const USER_AGENT = 'Havn-Webhooks/1'

/**
 * Signed with the wall time of the attempt, so that it is within a receiver's tolerance whatever the business clock
 * says.
 */
function signDeliveryRequest(
  { id, subscriptionId, eventType, body }: Pick<ClaimedDelivery, 'id' | 'subscriptionId' | 'eventType' | 'body'>,
  { targetUrl, signingSecret, bearerToken }: Endpoint,
  real: Temporal.Instant,
): DeliveryRequest {
  const timestamp = String(Math.floor(real.epochMilliseconds / 1000))
  const signature = createHmac('sha256', signingSecret).update(`${timestamp}.${body}`).digest('hex')
  return {
    target: targetUrl,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'X-SVC-Webhook-Id': id,
      'X-SVC-Webhook-Event': eventType,
      'X-SVC-Webhook-Subscription': subscriptionId,
      'X-SVC-Webhook-Timestamp': timestamp,
      'X-SVC-Webhook-Signature': `v1=${signature}`,
      ...(bearerToken === null ? {} : { authorization: `Bearer ${bearerToken}` }),
    },
  }
}
