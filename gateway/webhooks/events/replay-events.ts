/** Enqueues past events again for an operator, for the current subscriptions and their current endpoints: of a time window, or of one payment. */

import type { Context } from '../../context.ts'
import type { AuditAction } from '../../operators/audit-actions.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { countDeliveries, enqueueDeliveries, outboxEventOf, type Recipients } from '../store/delivery-store.ts'
import {
  type EventWindow,
  findPositionRange,
  listEvents,
  listEventsOfSubject,
  type PositionRange,
} from '../store/event-store.ts'
import { listSubscribers, requireEnabled, requireSubscription } from '../store/subscription-store.ts'

/** The events and their recipients. */
export type ReplayRequest = EventWindow & {
  /** All partners when absent. */
  readonly partnerId?: string
  readonly subscriptionId?: string
  /** Only counts. */
  readonly dryRun: boolean
}

export type ReplayResult = { readonly partnerId: string; readonly events: number; readonly deliveries: number }

/** Enqueued in one statement, and held in memory. */
const EVENTS_PER_BATCH = 200

const NOTHING = { events: 0, deliveries: 0 } as const

/**
 * Returns per partner how many events there were, and how many deliveries were enqueued. Of a named subscription, throws
 * 404 for a disabled one, and 409 for a paused one: nothing is enqueued for either.
 */
export async function replayEvents(
  context: ProgramContext,
  actor: string,
  { partnerId, subscriptionId, since, until, dryRun }: ReplayRequest,
): Promise<readonly ReplayResult[]> {
  if (partnerId !== undefined && subscriptionId !== undefined) {
    const key = { partnerId, id: subscriptionId }
    const { pausedAfter } = requireEnabled(await requireSubscription(context.database, key))
    if (pausedAfter !== null) {
      throw apiError('conflict', 'This webhook subscription is paused. Resume it first')
    }
  }
  const partners = partnerId === undefined ? await listSubscribers(context.database) : [partnerId]
  const window = { since, until }
  const replayed: ReplayResult[] = []
  for (const each of partners) {
    const recipients = { partnerId: each, subscriptionId }
    const range = await findPositionRange(context.database, each, window)
    if (!dryRun) {
      // First, so that a replay that is interrupted leaves an audit entry as well.
      const detail = { ...window, first: range?.first, last: range?.last }
      await audit(context, actor, recipients, { action: 'webhook replay begun', detail })
    }
    const done = range === undefined ? NOTHING : await replayTo(context, recipients, { ...window, ...range }, dryRun)
    if (!dryRun) {
      await audit(context, actor, recipients, { action: 'webhook events replayed', detail: { ...window, ...done } })
    }
    replayed.push({ partnerId: each, ...done })
  }
  return replayed
}

/** Events that occur meanwhile are delivered as usual, and not replayed. */
async function replayTo(
  context: ProgramContext,
  recipients: Recipients,
  { first, last, ...window }: EventWindow & PositionRange,
  dryRun: boolean,
): Promise<Omit<ReplayResult, 'partnerId'>> {
  const total = { events: 0, deliveries: 0 }
  let after = first - 1n
  while (after < last) {
    const range = { ...window, after, limit: EVENTS_PER_BATCH }
    const { events: read } = await listEvents(context.database, recipients.partnerId, range)
    const events = read.filter(({ position }) => position <= last).map((event) => outboxEventOf(event, newId()))
    total.events += events.length
    total.deliveries += dryRun
      ? await countDeliveries(context.database, recipients, events)
      : await enqueueDeliveries(context.database, recipients, events, context.clock.now())
    after = events.length < EVENTS_PER_BATCH ? last : (read.at(-1)?.position ?? last)
  }
  return total
}

async function audit(
  context: ProgramContext,
  actor: string,
  { partnerId, subscriptionId }: Recipients,
  { action, detail }: { readonly action: AuditAction; readonly detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  const subject =
    subscriptionId === undefined
      ? (['partner', partnerId] as const)
      : (['webhook subscription', subscriptionId] as const)
  // Instants and bigints are not JSON values.
  const json = Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, typeof value === 'number' ? value : value?.toString()]),
  )
  await writeAuditEntry(context, { partnerId, actor, action, subject, detail: json })
}

/** A payment has a handful. */
const EVENTS_MAX = 200

/** Repeats none that still waits to be delivered: doing it twice sends once. Returns how many events and deliveries. */
export async function replayEventsOfPayment(
  context: Context,
  actor: string,
  { partnerId, id: paymentId }: { readonly partnerId: string; readonly id: string },
): Promise<{ readonly events: number; readonly deliveries: number }> {
  const found = await listEventsOfSubject(context.database, { partnerId, subjectId: paymentId }, EVENTS_MAX)
  const events = found.map((event) => outboxEventOf(event, newId()))
  return await inTransaction(context, async (context) => {
    const deliveries = await enqueueDeliveries(
      context.database,
      { partnerId, repeated: true },
      events,
      context.clock.now(),
    )
    const detail = { events: events.length, deliveries }
    const subject = ['payment', paymentId] as const
    await writeAuditEntry(context, { partnerId, actor, action: 'webhook events replayed', subject, detail })
    return detail
  })
}
