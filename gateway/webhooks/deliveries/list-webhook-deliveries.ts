/** Lists a subscription's deliveries for its partner, and enqueues one of them again. */

import type { QueryOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import {
  WEBHOOK_PAGE,
  type WebhookDelivery,
  type WebhookDeliverySummary,
} from '../../../contract/webhooks/webhook-deliveries.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { apiError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { type CursorScope, createCursor, parseCursor } from '../../platform/http/operations/cursor.ts'
import { newId } from '../../platform/ids.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { Delivery, DeliveryKey } from '../store/delivery.ts'
import { requeueDeliveries } from '../store/delivery-retry-store.ts'
import { type DeliveryFilter, type DeliverySummary, findDelivery, listDeliveries } from '../store/delivery-store.ts'
import type { SubscriptionKey } from '../store/subscription.ts'
import { requireSubscription } from '../store/subscription-store.ts'

type ListQuery = QueryOf<typeof operations.listWebhookDeliveries>
type Page = { deliveries: WebhookDeliverySummary[]; nextCursor: string | null }

/** A malformed cursor, or one of another list. */
export function validateDeliveryListQuery(
  { seal }: Context,
  key: SubscriptionKey,
  query: ListQuery,
): readonly ValidationError[] {
  const reading = query.cursor === undefined ? undefined : parseCursor(seal, cursorScopeOf(key, query), query.cursor)
  return reading === undefined || 'place' in reading
    ? []
    : [{ code: 'InvalidRequest', reason: reading.fault, path: '.cursor' }]
}

/** A page of the log, newest first. */
export async function listWebhookDeliveries(
  { database, seal }: Context,
  key: SubscriptionKey,
  query: ListQuery,
): Promise<Page> {
  await requireSubscription(database, key)
  const scope = cursorScopeOf(key, query)
  const reading = query.cursor === undefined ? undefined : parseCursor(seal, scope, query.cursor)
  const { status, eventType, limit = WEBHOOK_PAGE.default } = query
  const before = reading !== undefined && 'place' in reading ? reading.place : undefined
  const whose = { partnerId: key.partnerId, subscriptionId: key.id }
  const found = await listDeliveries(database, whose, { status, eventType, before }, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    deliveries: page.map(renderDeliverySummary),
    nextCursor: last === undefined ? null : createCursor(seal, scope, last.id),
  }
}

/** The newest deliveries, for operators. */
export async function listRecentDeliveries(
  { database }: ProgramContext,
  key: SubscriptionKey,
  filter: Pick<DeliveryFilter, 'status'>,
  limit: number,
): Promise<readonly WebhookDeliverySummary[]> {
  await requireSubscription(database, key)
  const whose = { partnerId: key.partnerId, subscriptionId: key.id }
  return (await listDeliveries(database, whose, filter, limit)).map(renderDeliverySummary)
}

/** One delivery with every attempt. Throws 404. */
export async function getWebhookDelivery(context: Context, key: DeliveryKey): Promise<WebhookDelivery> {
  return renderDelivery(await requireDelivery(context, key))
}

/** Enqueues the same event for the current endpoint; returns the new delivery. Throws 404, or 409. */
export async function retryDelivery(context: Context, key: DeliveryKey): Promise<WebhookDelivery> {
  const subscription = { partnerId: key.partnerId, id: key.subscriptionId }
  const created = { stamp: newId(), now: context.clock.now(), limit: 1 }
  const [id] = await requeueDeliveries(context.database, subscription, [key.id], created)
  if (id === undefined) {
    throw await retryConflict(context, key)
  }
  return await getWebhookDelivery(context, { ...key, id })
}

async function retryConflict(context: Context, key: DeliveryKey): Promise<Error> {
  const { status } = await requireDelivery(context, key)
  if (status === 'Queued') {
    return apiError('conflict', 'This delivery has not ended yet')
  }
  const { enabled } = await requireSubscription(context.database, { partnerId: key.partnerId, id: key.subscriptionId })
  return enabled
    ? apiError('conflict', 'This event has been queued again already')
    : apiError('conflict', 'The webhook subscription is disabled')
}

async function requireDelivery({ database }: Context, key: DeliveryKey): Promise<Delivery> {
  const delivery = await findDelivery(database, key)
  if (delivery === undefined) {
    throw apiError('not-found', 'This subscription has no delivery with this id')
  }
  return delivery
}

function cursorScopeOf({ partnerId, id }: SubscriptionKey, { status, eventType }: ListQuery): CursorScope {
  return { partnerId, list: `webhook deliveries ${id.toLowerCase()}`, filters: { status, eventType } }
}

function renderDeliverySummary(delivery: DeliverySummary): WebhookDeliverySummary {
  const { id, eventId, eventType, status, createdAt, attemptsMade, dueAt, lastError } = delivery
  const nextAttemptAt = dueAt === null ? null : formatTimestamp(dueAt)
  return {
    id,
    eventId,
    eventType,
    status,
    createdAt: formatTimestamp(createdAt),
    attemptsMade,
    nextAttemptAt,
    lastError,
  }
}

function renderDelivery(delivery: Delivery): WebhookDelivery {
  const { targetUrl, body, attempts } = delivery
  return { ...renderDeliverySummary(delivery), targetUrl, body, attempts: [...attempts] }
}
