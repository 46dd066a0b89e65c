/** Shows the log of a subscription's deliveries to its partner, and queues one of them anew. */
import type { QueryOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import {
  WEBHOOK_PAGE,
  type WebhookDelivery,
  type WebhookDeliveryListed,
} from '../../../contract/webhooks/webhook-deliveries.ts'
import type { Context } from '../../context.ts'
import { type ListAsked, readCursor, writeCursor } from '../../foundation/http/cursor.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { type Problem, refuse } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { requireSubscription } from '../subscriptions/require-subscription.ts'
import type { SubscriptionKey } from '../subscriptions/subscription.ts'
import type { Delivery, DeliveryKey } from './delivery.ts'
import {
  type DeliveryFilter,
  type DeliveryListed,
  findDelivery,
  listDeliveriesOf,
  queueAgain,
} from './delivery-store.ts'

type ListQuery = QueryOf<typeof operations.listWebhookDeliveries>
type Page = { deliveries: WebhookDeliveryListed[]; nextCursor: string | null }

/** A cursor that is none, or that of another list. */
export function logProblems(
  { seal }: Pick<Context, 'seal'>,
  key: SubscriptionKey,
  query: ListQuery,
): readonly Problem[] {
  const reading = query.cursor === undefined ? undefined : readCursor(seal, listAsked(key, query), query.cursor)
  return reading === undefined || 'place' in reading
    ? []
    : [{ code: 'InvalidRequest', reason: reading.fault, path: '.cursor' }]
}

/** A page of the log, newest first. */
export async function showDeliveries(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  key: SubscriptionKey,
  query: ListQuery,
): Promise<Page> {
  await requireSubscription(database, key)
  const asked = listAsked(key, query)
  const reading = query.cursor === undefined ? undefined : readCursor(seal, asked, query.cursor)
  const { status, eventType, limit = WEBHOOK_PAGE.default } = query
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(eventType === undefined ? {} : { eventType }),
    ...(reading !== undefined && 'place' in reading ? { before: reading.place } : {}),
  }
  const whose = { partnerId: key.partnerId, subscriptionId: key.id }
  const found = await listDeliveriesOf(database, whose, filter, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    deliveries: page.map(listedDelivery),
    nextCursor: last === undefined ? null : writeCursor(seal, asked, last.id),
  }
}

/** The newest deliveries, for operators. */
export async function readLog(
  { database }: Pick<Context, 'database'>,
  key: SubscriptionKey,
  filter: Pick<DeliveryFilter, 'status'>,
  limit: number,
): Promise<readonly WebhookDeliveryListed[]> {
  await requireSubscription(database, key)
  const whose = { partnerId: key.partnerId, subscriptionId: key.id }
  return (await listDeliveriesOf(database, whose, filter, limit)).map(listedDelivery)
}

/** One delivery with every attempt. Throws 404. */
export async function showDelivery(
  { database }: Pick<Context, 'database'>,
  key: DeliveryKey,
): Promise<WebhookDelivery> {
  return shownDelivery(await requireDelivery({ database }, key))
}

/** Queues the same event for the endpoint as it is now; answers the new delivery. Throws 404, or 409. */
export async function retryDelivery(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  key: DeliveryKey,
): Promise<WebhookDelivery> {
  const id = newId()
  if (!(await queueAgain(database, key, id, clock.now()))) {
    throw await whyNotAgain(database, key)
  }
  return await showDelivery({ database }, { ...key, id })
}

async function whyNotAgain(database: Context['database'], key: DeliveryKey): Promise<Error> {
  const { status } = await requireDelivery({ database }, key)
  if (status === 'Queued') {
    return refuse('conflict', 'This delivery is still on its way')
  }
  const { enabled } = await requireSubscription(database, { partnerId: key.partnerId, id: key.subscriptionId })
  return enabled
    ? refuse('conflict', 'This event is queued once more already')
    : refuse('conflict', 'The webhook subscription is disabled')
}

async function requireDelivery({ database }: Pick<Context, 'database'>, key: DeliveryKey): Promise<Delivery> {
  const delivery = await findDelivery(database, key)
  if (delivery === undefined) {
    throw refuse('not-found', 'This subscription has no delivery with this id')
  }
  return delivery
}

function listAsked({ partnerId, id }: SubscriptionKey, { status, eventType }: ListQuery): ListAsked {
  return { partnerId, list: `webhook deliveries ${id.toLowerCase()}`, filters: { status, eventType } }
}

function listedDelivery(delivery: DeliveryListed): WebhookDeliveryListed {
  const { id, eventId, eventType, status, createdAt, attemptsMade, dueAt, lastError } = delivery
  const nextAttemptAt = dueAt === null ? null : printTimestamp(dueAt)
  return {
    id,
    eventId,
    eventType,
    status,
    createdAt: printTimestamp(createdAt),
    attemptsMade,
    nextAttemptAt,
    lastError,
  }
}

function shownDelivery(delivery: Delivery): WebhookDelivery {
  const { targetUrl, body, attempts } = delivery
  return { ...listedDelivery(delivery), targetUrl, body, attempts: [...attempts] }
}
