/** Attempts deliveries of a subscription now, for a user: those that wait, and again those that have ended. */
import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import {
  advanceDeliveries,
  countRepeatable,
  type DeliverySelection,
  requeueDeliveries,
} from '../store/delivery-retry-store.ts'
import type { SubscriptionKey } from '../store/subscription.ts'

/** Enqueued by one statement; more follow when it is asked for again. */
export const REPEATED_MAX = 1_000

export type AttemptedNow = {
  /** Waited for their next attempt, and are due now. */
  readonly advanced: number
  /** Had ended, and are enqueued again: with the whole schedule, as after a first attempt. */
  readonly repeated: number
}

/** How many would be enqueued again, at most `REPEATED_MAX`. */
export async function countRepeatableDeliveries(
  { database }: Context,
  key: SubscriptionKey,
  selection: DeliverySelection,
): Promise<number> {
  return await countRepeatable(database, key, selection, REPEATED_MAX)
}

/** Deliveries that are being attempted at this moment are left alone. An attempt that was advanced counts as any other. */
export async function attemptDeliveriesNow(
  context: Context,
  actor: string,
  key: SubscriptionKey,
  selection: DeliverySelection,
): Promise<AttemptedNow> {
  const now = context.clock.now()
  return await inTransaction(context, async (context) => {
    const requeued = await requeueDeliveries(context.database, key, selection, {
      stamp: newId(),
      now,
      limit: REPEATED_MAX,
    })
    const repeated = requeued.length
    const advanced = selection === 'failed' ? 0 : await advanceDeliveries(context.database, key, selection, now)
    const detail = { selection: selection === 'failed' ? 'all failed' : selection.length, advanced, repeated }
    const subject = ['webhook subscription', key.id] as const
    await writeAuditEntry(context, {
      partnerId: key.partnerId,
      actor,
      action: 'webhook deliveries attempted',
      subject,
      detail,
    })
    return { advanced, repeated }
  })
}
