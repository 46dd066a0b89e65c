/** Delivers past events anew, on an operator's word: to whom they are selected by now, at the endpoints of now. */
import type { Context } from '../../context.ts'
import { writeAudit } from '../../operators/write-audit-entry.ts'
import { newId } from '../../platform/ids.ts'
import { countDeliveriesOf, queueEvents, type Recipients } from '../deliveries/delivery-store.ts'
import { requireSubscription } from '../subscriptions/require-subscription.ts'
import { listSubscribers } from '../subscriptions/subscription-store.ts'
import { readEvents, readRangeSince } from './read-events.ts'

type Surroundings = Pick<Context, 'database' | 'clock'>

/** Which events, for whom. */
export type Replay = {
  /** Events that occurred at this time or later. */
  readonly since: Temporal.Instant
  /** All partners when there is none. */
  readonly partnerId?: string
  readonly subscriptionId?: string
  /** Only counts. */
  readonly dryRun: boolean
}

export type Replayed = { readonly partnerId: string; readonly events: number; readonly deliveries: number }

/** Queued in one statement, and kept in memory. */
const EVENTS_AT_ONCE = 200

const NOTHING = { events: 0, deliveries: 0 } as const

type Range = { readonly since: Temporal.Instant; readonly first: bigint; readonly last: bigint }

/** Says for each partner how many events there were, and how many deliveries came of them. */
export async function replayEvents(
  context: Surroundings,
  actor: string,
  { partnerId, subscriptionId, since, dryRun }: Replay,
): Promise<readonly Replayed[]> {
  if (partnerId !== undefined && subscriptionId !== undefined) {
    await requireSubscription(context.database, { partnerId, id: subscriptionId })
  }
  const partners = partnerId === undefined ? await listSubscribers(context.database) : [partnerId]
  const replayed: Replayed[] = []
  for (const each of partners) {
    const recipients = { partnerId: each, ...(subscriptionId === undefined ? {} : { subscriptionId }) }
    const range = await readRangeSince(context, each, since)
    if (!dryRun) {
      // First, lest a replay that breaks off has left nothing but deliveries.
      const detail = { since, first: range?.first, last: range?.last }
      await audit(context, actor, recipients, { action: 'webhook replay begun', detail })
    }
    const done = range === undefined ? NOTHING : await replayTo(context, recipients, { since, ...range }, dryRun)
    if (!dryRun) {
      await audit(context, actor, recipients, { action: 'webhook events replayed', detail: { since, ...done } })
    }
    replayed.push({ partnerId: each, ...done })
  }
  return replayed
}

/** What happens meanwhile is delivered as ever, and not once more. */
async function replayTo(
  context: Surroundings,
  recipients: Recipients,
  { since, first, last: until }: Range,
  dryRun: boolean,
): Promise<Omit<Replayed, 'partnerId'>> {
  const total = { events: 0, deliveries: 0 }
  let after = first - 1n
  while (after < until) {
    const { events: read } = await readEvents(context, recipients.partnerId, { after, limit: EVENTS_AT_ONCE, since })
    const events = read
      .filter(({ position }) => position <= until)
      .map(({ id, type, paymentId, body }) => {
        return { stamp: newId(), eventId: id, eventType: type, subjectId: paymentId, body }
      })
    total.events += events.length
    total.deliveries += dryRun
      ? await countDeliveriesOf(context.database, recipients, events)
      : await queueEvents(context.database, recipients, events, context.clock.now())
    after = events.length < EVENTS_AT_ONCE ? until : (read.at(-1)?.position ?? until)
  }
  return total
}

async function audit(
  context: Surroundings,
  actor: string,
  { partnerId, subscriptionId }: Recipients,
  { action, detail }: { readonly action: string; readonly detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  const subject =
    subscriptionId === undefined
      ? (['partner', partnerId] as const)
      : (['webhook subscription', subscriptionId] as const)
  // Times and positions are no JSON of their own.
  const told = Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, typeof value === 'number' ? value : value?.toString()]),
  )
  await writeAudit(context, { partnerId, actor, action, subject, detail: told })
}
